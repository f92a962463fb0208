import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { customers, mandates } from '../store/schema'

const { grams: _grams, ...columns } = getTableColumns(mandates)

/** The columns of a mandate that a reply or a continuation can need. */
export const mandateColumns = columns

export type MandateRow = Omit<typeof mandates.$inferSelect, 'grams'>

/** Mandates as the interface shows them (docs/upstream-api.md, section 2). */
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
