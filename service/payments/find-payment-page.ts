import { and, eq, inArray } from 'drizzle-orm'
import type { ListQuery } from '@/lib/contract/page'
import type { Database } from '@/lib/database/open-database'
import { findCreationSpan } from '../query/find-creation-span'
import { findNamedCustomers } from '../query/find-named-customers'
import { listShapes } from '../query/list-fields'
import { type ListPlan, planList } from '../query/list-plan'
import { payments } from '../store/schema'
import { beginsWithGroups, findInGroups } from './find-in-groups'
import { type PaymentRow, paymentColumns, viewPayments } from './payment-view'

/** The ids are found first, where an index may answer alone, and only their rows are then read. */
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

/**
 * One keyset page of a merchant's payments in the container of the interface. Throws Problem as planList does.
 */
export async function findPaymentPage(db: Database, merchantId: string, query: ListQuery, cursorSecret: string) {
  const named = await findNamedCustomers(db, merchantId, query.filter)
  const plan = planList(listShapes.listPayments, merchantId, query, cursorSecret, named)
  // Groups in which a filter leaves nothing would be searched to their end.
  const isGrouped = !query.filter && beginsWithGroups(plan.orders)
  const rows = isGrouped ? await findInGroups(db, plan) : await findRows(db, merchantId, query, plan)
  const { results, ...continuation } = plan.finish(rows)
  return { results: await viewPayments(db, merchantId, results), ...continuation }
}
