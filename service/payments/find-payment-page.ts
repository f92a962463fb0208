import { and, eq, inArray } from 'drizzle-orm'
import type { ListQuery } from '@/lib/contract/page'
import type { Database } from '@/lib/database/open-database'
import { findCreationSpan } from '../query/find-creation-span'
import { findNamedCustomers } from '../query/find-named-customers'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { payments } from '../store/schema'
import { paymentColumns, viewPayments } from './payment-view'

/**
 * One keyset page of a merchant's payments in the container of the interface. The page's ids are found
 * first, where an index may answer alone, and only their rows are then read. Throws Problem as planList does.
 */
export async function findPaymentPage(db: Database, merchantId: string, query: ListQuery, cursorSecret: string) {
  const named = await findNamedCustomers(db, merchantId, query.filter)
  const plan = planList(listShapes.listPayments, merchantId, query, cursorSecret, named)
  const created = await findCreationSpan(db, merchantId, query)
  const found = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(plan.where, created))
    .orderBy(...plan.orderBy)
    .limit(plan.limit)
  const rows = await db
    .select(paymentColumns)
    .from(payments)
    .where(and(eq(payments.merchantId, merchantId), inArray(payments.id, found)))
    .orderBy(...plan.orderBy)
  const { results, ...continuation } = plan.finish(rows)
  return { results: await viewPayments(db, merchantId, results), ...continuation }
}
