import { randomBytes, randomUUID } from 'node:crypto'
import { hashToken } from '../auth'
import type { Handler } from '../handler'
import { Problem } from '../http/problem'
import { newHandle } from '../new-handle'
import { credentials, merchants } from '../store/schema'
import { viewMerchant } from './merchant-view'

/**
 * POST /Merchants: 201 with the merchant and, this once, its token: only the token's hash is kept. A
 * replay of the request answers without the token. Needs an ISV credential.
 */
export const createMerchant: Handler<'createMerchant'> = async ({ db, caller, body, now }) => {
  if (!caller.isv) throw new Problem('forbidden', 'Only an ISV credential may create merchants.')
  const { name, isvHandle = null, metaData = {} } = body
  const token = randomBytes(32).toString('base64url')
  const [row] = await db
    .insert(merchants)
    .values({ id: randomUUID(), handle: newHandle('me'), name, isvHandle, metaData, createdAt: now, modifiedAt: now })
    .returning()
  if (!row) throw new Error('The merchant was not stored')
  await db.insert(credentials).values({ tokenHash: hashToken(token), merchantId: row.id, createdAt: now })
  return { status: 201, location: '/Merchants', body: await viewMerchant(db, row), once: { token }, outcome: 'created' }
}
