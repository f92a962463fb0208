import type { Handler } from '../handler'
import { Problem } from '../http/problem'
import { byIdOrHandle, preferId } from '../query/by-id-or-handle'
import { mandates } from '../store/schema'
import { mandateColumns, viewMandates } from './mandate-view'

/** GET /Customers/mandates/{mandateIdOrHandle}: an id wins over a handle. */
export const getMandate: Handler<'getMandate'> = async ({ db, caller, params }) => {
  const found = await db
    .select(mandateColumns)
    .from(mandates)
    .where(byIdOrHandle(mandates, caller.merchantId, params.mandateIdOrHandle))
    .limit(2)
  const row = preferId(found, params.mandateIdOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such mandate.')
  const [body] = await viewMandates(db, caller.merchantId, [row])
  return { status: 200, body }
}
