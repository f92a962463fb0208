import { and, eq, sql } from 'drizzle-orm'
import type { Filter } from '@/lib/contract/filter'
import type { Database } from '@/lib/database/open-database'
import { customers } from '../store/schema'
import { fold, grams } from './fold'
import { readFilter } from './read-filter'

/** Folded text → the ids of the customers whose name contains it, or `many`. A text that is not there was not looked up. */
export type NamedCustomers = ReadonlyMap<string, readonly string[] | 'many'>

/** More customers than this are many. */
const few = 200
/** Texts that are looked up for one request. */
const mostTexts = 4

function collectTexts(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap(collectTexts)
  return filter.kind === 'contains' && filter.field === 'customer/name' ? [fold(filter.value)] : []
}

/**
 * Looks up whom a filter on the customer's name means before payments are searched by it. The planner cannot
 * guess how frequent a text is, and the two ways to answer it differ a hundredfold: from the few customers
 * to their payments, or through the payments in order until the page is full.
 */
export async function findNamedCustomers(
  db: Database,
  merchantId: string,
  filter: string | undefined,
): Promise<NamedCustomers> {
  const named = new Map<string, readonly string[] | 'many'>()
  const read = readFilter(filter)
  for (const text of new Set(read ? collectTexts(read).slice(0, mostTexts) : [])) {
    const parts = grams(text)
    if (parts.length === 0) continue
    const rows = await db
      .select({ id: customers.id })
      .from(customers)
      .where(
        and(
          eq(customers.merchantId, merchantId),
          sql`${customers.grams} @> ${`{${parts.join(',')}}`}::integer[]`,
          sql`strpos(${customers.nameSearch}, ${text}::text) > 0`,
        ),
      )
      .limit(few + 1)
    named.set(text, rows.length > few ? 'many' : rows.map(({ id }) => id))
  }
  return named
}
