import type { Handler } from '../handler'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { payments } from '../store/schema'
import { paymentColumns, viewPayments } from './payment-view'

/** GET /Payments: one keyset page. */
export const listPayments: Handler<'listPayments'> = async ({ db, caller, query, settings }) => {
  const plan = planList(listShapes.listPayments, caller.merchantId, query, settings.cursorSecret)
  const rows = await db
    .select(paymentColumns)
    .from(payments)
    .where(plan.where)
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  const { results, ...continuation } = plan.finish(rows)
  return { status: 200, body: { results: await viewPayments(db, caller.merchantId, results), ...continuation } }
}
