import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { hashToken } from '../http/credentials'
import type { Handler } from '../http/handler'
import { Problem } from '../http/problem'
import { newHandle } from '../store/handles'
import { agreements, credentials, merchants } from '../store/schema'

/** The merchant record (the interface does not show one): the fields of the input and the merchant's agreements. */
export async function viewMerchant(db: Database, row: typeof merchants.$inferSelect) {
  const own = await db
    .select({
      id: agreements.id,
      handle: agreements.handle,
      scheme: agreements.scheme,
      status: agreements.status,
      test: agreements.test,
    })
    .from(agreements)
    .where(eq(agreements.merchantId, row.id))
    .orderBy(agreements.createdAt, agreements.id)
    .limit(100)
  const { id, handle, name, isvHandle, metaData, createdAt, modifiedAt } = row
  return { id, handle, name, isvHandle, metaData, createdAt, modifiedAt, agreements: own }
}

/** GET /Merchants: the caller's own record. */
export const getMerchant: Handler<'getMerchant'> = async ({ db, caller }) => {
  const [row] = await db.select().from(merchants).where(eq(merchants.id, caller.merchantId)).limit(1)
  if (!row) throw new Problem('not-found', 'There is no such merchant.')
  return { status: 200, body: await viewMerchant(db, row) }
}

/**
 * POST /Merchants: 201 with the merchant and, only this once, its token, of which only the hash is stored. A replay
 * omits the token. Requires an ISV credential.
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
