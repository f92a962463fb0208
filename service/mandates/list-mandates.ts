import type { Handler } from '../handler'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { mandates } from '../store/schema'
import { mandateColumns, viewMandates } from './mandate-view'

/** GET /Customers/mandates: one keyset page. */
export const listMandates: Handler<'listMandates'> = async ({ db, caller, query, settings }) => {
  const plan = planList(listShapes.listMandates, caller.merchantId, query, settings.cursorSecret)
  const rows = await db
    .select(mandateColumns)
    .from(mandates)
    .where(plan.where)
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  const { results, ...continuation } = plan.finish(rows)
  return { status: 200, body: { results: await viewMandates(db, caller.merchantId, results), ...continuation } }
}
