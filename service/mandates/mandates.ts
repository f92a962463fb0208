import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Handler } from '../http/handler'
import { Problem } from '../http/problem'
import { listShapes } from '../query/list-fields'
import { planList } from '../query/list-plan'
import { byIdOrHandle, preferId } from '../store/handles'
import { customers, mandates } from '../store/schema'

const { grams: _grams, ...columns } = getTableColumns(mandates)

/** The columns needed for replies and cursors. */
export const mandateColumns = columns

export type MandateRow = Omit<typeof mandates.$inferSelect, 'grams'>

/** Mandates as replied (docs/upstream-api.md, section 2). */
export async function viewMandates(db: Database, merchantId: string, rows: readonly MandateRow[]) {
  const ids = [...new Set(rows.map(({ customerId }) => customerId))]
  const payers = await db
    .select({ id: customers.id, handle: customers.handle, name: customers.name, number: customers.number })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), inArray(customers.id, ids)))
  const byId = new Map(payers.map((payer) => [payer.id, payer]))
  return rows.map(({ id, handle, scheme, status, schemeData, customerId }) => ({
    id,
    handle,
    scheme,
    status,
    schemeData,
    customer: byId.get(customerId) ?? null,
  }))
}

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
