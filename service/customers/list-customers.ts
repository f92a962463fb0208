import type { Handler } from '../handler'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { customers } from '../store/schema'
import { customerColumns, viewCustomers } from './customer-view'

/** GET /Customers: one keyset page. */
export const listCustomers: Handler<'listCustomers'> = async ({ db, caller, query, settings }) => {
  const plan = planList(listShapes.listCustomers, caller.merchantId, query, settings.cursorSecret)
  const rows = await db
    .select(customerColumns)
    .from(customers)
    .where(plan.where)
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  const { results, ...continuation } = plan.finish(rows)
  return { status: 200, body: { results: await viewCustomers(db, caller.merchantId, results), ...continuation } }
}
