import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { customers, mandates } from '../store/schema'

/** The columns of a customer that a reply or a continuation can need. */
export const customerColumns = {
  id: customers.id,
  merchantId: customers.merchantId,
  handle: customers.handle,
  name: customers.name,
  nameSearch: customers.nameSearch,
  number: customers.number,
  numberSearch: customers.numberSearch,
  addressLine1: customers.addressLine1,
  addressLine2: customers.addressLine2,
  city: customers.city,
  country: customers.country,
  postalCode: customers.postalCode,
  createdAt: customers.createdAt,
  modifiedAt: customers.modifiedAt,
}

export type CustomerRow = Omit<typeof customers.$inferSelect, 'grams'>

type MandateSummary = { handle: string; scheme: string; state: string }

async function readSummaries(db: Database, merchantId: string, ids: string[]): Promise<Map<string, MandateSummary[]>> {
  const summaries = new Map(ids.map((id): [string, MandateSummary[]] => [id, []]))
  if (ids.length === 0) return summaries
  const rows = await db
    .select({
      customerId: mandates.customerId,
      handle: mandates.handle,
      scheme: mandates.scheme,
      state: mandates.status,
    })
    .from(mandates)
    .where(and(eq(mandates.merchantId, merchantId), inArray(mandates.customerId, ids)))
    .orderBy(mandates.createdAt, mandates.id)
  for (const { customerId, ...summary } of rows) summaries.get(customerId)?.push(summary)
  return summaries
}

/** Customers as the list shows them (docs/upstream-api.md, section 2), with the summaries of their mandates. */
export async function viewCustomers(db: Database, merchantId: string, rows: readonly CustomerRow[]) {
  const summaries = await readSummaries(
    db,
    merchantId,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, handle, number, createdAt, modifiedAt }) => ({
    id,
    name,
    handle,
    number,
    createdAt,
    modifiedAt,
    mandates: summaries.get(id) ?? [],
  }))
}

/** One customer: the fields of the list and those of the input (the interface does not show this reply). */
export async function viewCustomer(db: Database, merchantId: string, row: CustomerRow) {
  const [listed] = await viewCustomers(db, merchantId, [row])
  const { addressLine1, addressLine2, city, country, postalCode } = row
  return { ...listed, addressLine1, addressLine2, city, country, postalCode }
}
