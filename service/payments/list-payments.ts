import { and, asc, desc, eq, gt, inArray, lt, type SQL } from 'drizzle-orm'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { ListQuery } from '@/lib/api-contract/pagination'
import type { Database } from '@/lib/database/database'
import type { Handler } from '../http/handler'
import { afterSql, type CursorValue } from '../query/cursor'
import { columnOf, fieldOf, listShapes } from '../query/list-fields'
import { type ListPlan, planList } from '../query/list-plan'
import { findCreationSpan, findNamedCustomers } from '../query/prefilter'
import { payments } from '../store/schema'
import { paymentColumns, type PaymentRow, viewPayments } from './payment'

const shape = listShapes.listPayments

type PageQuery = {
  /** The merchant's rows that match the filter. */
  matching: SQL | undefined
  orders: readonly SortOrder[]
  /** The sort values of the previous page's last row. */
  values?: readonly CursorValue[]
  limit: number
}

/** Whether a sort order begins with a field of few values, each with many rows, and continues with other fields. */
export function beginsWithGroups(orders: readonly SortOrder[]): boolean {
  const kind = orders[0] && fieldOf(shape, orders[0].field).kind
  return (kind === 'keyword' || kind === 'boolean') && orders.length > 2
}

const directed = ({ field, direction }: SortOrder) =>
  (direction === 'desc' ? desc : asc)(columnOf(shape, fieldOf(shape, field).column))

/**
 * The rows of a page whose sort order begins with such a field: value by value, each sorted by the other fields, for
 * which there is an index. In a single query Postgres would sort all rows or use an index of the first field alone.
 */
export async function findInGroups(
  db: Database,
  { matching, orders, values, limit }: PageQuery,
): Promise<PaymentRow[]> {
  const [grouped, ...rest] = orders
  if (!grouped) return []
  const { direction, field } = grouped
  const column = columnOf(shape, fieldOf(shape, field).column)

  async function findNext(beyond: CursorValue | undefined): Promise<CursorValue | undefined> {
    const further = beyond === undefined ? undefined : (direction === 'desc' ? lt : gt)(column, beyond)
    const [row] = await db
      .select({ value: column })
      .from(payments)
      .where(and(matching, further))
      .orderBy(directed({ field, direction }))
      .limit(1)
    const value: unknown = row?.value
    return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
  }

  const found: PaymentRow[] = []
  let group = values ? values[0] : await findNext(undefined)
  let behind = values?.slice(1)
  while (group !== undefined && found.length < limit) {
    const rows = await db
      .select(paymentColumns)
      .from(payments)
      .where(and(matching, eq(column, group), behind && afterSql(shape, rest, behind)))
      .orderBy(...rest.map(directed))
      .limit(limit - found.length)
    found.push(...rows)
    behind = undefined
    if (found.length < limit) group = await findNext(group)
  }
  return found
}

/** Finds the ids first, which an index alone may answer, and then reads only their rows. */
async function findRows(db: Database, merchantId: string, query: ListQuery, plan: ListPlan): Promise<PaymentRow[]> {
  const created = await findCreationSpan(db, merchantId, query)
  const found = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(plan.where, created))
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  return db
    .select(paymentColumns)
    .from(payments)
    .where(and(eq(payments.merchantId, merchantId), inArray(payments.id, found)))
    .orderBy(...plan.orderBy)
}

/** One keyset page of a merchant's payments in a pagination container. Throws Problem as planList does. */
export async function findPaymentPage(db: Database, merchantId: string, query: ListQuery, cursorSecret: string) {
  const named = await findNamedCustomers(db, merchantId, query.filter)
  const plan = planList(listShapes.listPayments, merchantId, query, cursorSecret, named)
  // With a filter, groups without matches would be scanned to their end.
  const isGrouped = !query.filter && beginsWithGroups(plan.orders)
  const rows = isGrouped ? await findInGroups(db, plan) : await findRows(db, merchantId, query, plan)
  const { results, ...continuation } = plan.finish(rows)
  return { results: await viewPayments(db, merchantId, results), ...continuation }
}

/** GET /Payments: one keyset page. */
export const listPayments: Handler<'listPayments'> = async ({ db, caller, query, settings }) => ({
  status: 200,
  body: await findPaymentPage(db, caller.merchantId, query, settings.cursorSecret),
})
