import { and, eq, gte, lte, max, min, sql, type SQL } from 'drizzle-orm'
import type { Filter } from '@/lib/api-contract/filter'
import type { ListQuery } from '@/lib/api-contract/pagination'
import type { Database } from '@/lib/database/database'
import { creationSpans, customers, payments } from '../store/schema'
import { listShapes } from './list-fields'
import { parseFilter } from './parser'
import { fold, grams } from './text-search'
import { parseTimestamp, SyntaxProblem } from './tokenizer'

/** A filter of payments before its list is planned; null for none and for one that planList will refuse in the reader's own words. */
export function parsePaymentFilter(source: string | undefined): Filter | null {
  if (!source) return null
  try {
    return parseFilter(source, listShapes.listPayments.kinds)
  } catch (error) {
    if (error instanceof SyntaxProblem) return null
    throw error
  }
}

/** Folded text → the ids of the customers whose name contains it, or `many`. A text that is not there was not looked up. */
export type NamedCustomers = ReadonlyMap<string, readonly string[] | 'many'>

/** More customers than this are many. */
const MAX_CUSTOMERS = 200
/** Texts that are looked up for one request. */
const MAX_TEXTS = 4

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
  const read = parsePaymentFilter(filter)
  for (const text of new Set(read ? collectTexts(read).slice(0, MAX_TEXTS) : [])) {
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
      .limit(MAX_CUSTOMERS + 1)
    named.set(text, rows.length > MAX_CUSTOMERS ? 'many' : rows.map(({ id }) => id))
  }
  return named
}

type Span = { from?: Date; to?: Date }

/** The conditions that hold for every row of an answer. */
function requiredBy(filter: Filter): Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(requiredBy) : [filter]
}

/** From when to when a filter wants a date to be; null when it leaves that open. Wider than the truth at its ends. */
function readRange(filter: Filter, field: string): Span | null {
  const range: Span = {}
  for (const one of requiredBy(filter)) {
    if (one.kind !== 'compare' || one.field !== field || typeof one.value !== 'object') continue
    const moment = parseTimestamp(one.value.moment)
    if (!moment || one.comparison === 'ne') continue
    if (['ge', 'gt', 'eq'].includes(one.comparison) && !(range.from && range.from > moment)) range.from = moment
    if (['le', 'lt', 'eq'].includes(one.comparison) && !(range.to && range.to < moment)) range.to = moment
  }
  return range.from || range.to ? range : null
}

const byCreation = /^\s*createdAt\b/u

/**
 * What a filter on a business date says of when its payments were created, as a condition; undefined when it
 * says nothing, or the order is not by creation. An index holds one range: without this one a list that is in the
 * order of creation would be walked to its end for the last payments of a month.
 */
export async function findCreationSpan(
  db: Database,
  merchantId: string,
  { filter: source, orderby }: ListQuery,
): Promise<SQL | undefined> {
  const filter = parsePaymentFilter(source)
  if (!filter || (orderby && !byCreation.test(orderby))) return undefined
  const conditions: (SQL | undefined)[] = []
  for (const field of ['scheduleDate', 'paymentDate']) {
    const range = readRange(filter, field)
    if (!range) continue
    const [span] = await db
      .select({ first: min(creationSpans.firstAt), last: max(creationSpans.lastAt) })
      .from(creationSpans)
      .where(
        and(
          eq(creationSpans.merchantId, merchantId),
          eq(creationSpans.field, field),
          range.from && gte(creationSpans.day, range.from),
          range.to && lte(creationSpans.day, range.to),
        ),
      )
    if (!span?.first || !span.last) return sql`false`
    conditions.push(gte(payments.createdAt, span.first), lte(payments.createdAt, span.last))
  }
  return and(...conditions)
}
