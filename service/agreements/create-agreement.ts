import { randomUUID } from 'node:crypto'
import type { Handler } from '../handler'
import { newHandle } from '../new-handle'
import { agreements } from '../store/schema'
import { viewAgreement } from './agreement-view'

/** How long a scheme takes to make an agreement Active, in milliseconds. */
const activationTime = 60_000

/** POST /Merchants/agreements: 201 with the agreement, Pending until the scheme has taken it up. */
export const createAgreement: Handler<'createAgreement'> = async ({ db, caller, body, now }) => {
  const { scheme, schemeData = {}, test = false, dataSourceHandle = null } = body
  const [row] = await db
    .insert(agreements)
    .values({
      id: randomUUID(),
      merchantId: caller.merchantId,
      handle: newHandle('am'),
      scheme: scheme.toLowerCase(),
      schemeData,
      test,
      dataSourceHandle,
      status: 'Pending',
      createdAt: now,
      modifiedAt: now,
      nextAt: new Date(now.getTime() + activationTime),
    })
    .returning()
  if (!row) throw new Error('The agreement was not stored')
  return { status: 201, location: `/Merchants/agreements/${row.id}`, body: viewAgreement(row), outcome: 'created' }
}
