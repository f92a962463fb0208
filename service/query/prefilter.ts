import { and, eq, gte, lte, max, min, sql, type SQL } from 'drizzle-orm'
import type { Filter } from '@/lib/api-contract/filter'
import type { ListQuery } from '@/lib/api-contract/pagination'
import type { Database } from '@/lib/database/database'
import { creationSpans, customers, payments } from '../store/schema'
import { listShapes } from './list-fields'
import { parseFilter } from './parser'
import { foldAccents } from '@/lib/api-contract/fold-text'
import { containsText, grams } from './text-search'
import { parseTimestamp, SyntaxProblem } from './tokenizer'

/** Parses a filter of payments before the list is planned; null if there is none or it is invalid, which planList reports. */
export function parsePaymentFilter(source: string | undefined): Filter | null {
  if (!source) return null
  try {
    return parseFilter(source, listShapes.listPayments.kinds)
  } catch (error) {
    if (error instanceof SyntaxProblem) return null
    throw error
  }
}

/** The ids of customers by the text, without case and accents, that their names contain, or `many`. A missing text was not looked up. */
export type NamedCustomers = ReadonlyMap<string, readonly string[] | 'many'>

/** More customers than this count as many. */
const MAX_CUSTOMERS = 200
/** Maximum texts looked up per request. */
const MAX_TEXTS = 4

function collectTexts(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap(collectTexts)
  return filter.kind === 'contains' && filter.field === 'customer/name' ? [foldAccents(filter.value)] : []
}

/**
 * Looks up the customers that a filter on the customer's name matches before payments are searched. Postgres cannot
 * estimate how frequent a text is, and the two plans differ a hundredfold: from a few customers to their payments, or
 * through the payments in sort order until the page is full.
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
          containsText(customers.nameSearch, text),
        ),
      )
      .limit(MAX_CUSTOMERS + 1)
    named.set(text, rows.length > MAX_CUSTOMERS ? 'many' : rows.map(({ id }) => id))
  }
  return named
}

type DateRange = { from?: Date; to?: Date }

/** The conditions that every matching row satisfies. */
function requiredBy(filter: Filter): Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(requiredBy) : [filter]
}

/** The range of dates that a filter allows, both ends included; null if it sets no bound. */
function findDateRange(filter: Filter, field: string): DateRange | null {
  const range: DateRange = {}
  for (const one of requiredBy(filter)) {
    if (one.kind !== 'compare' || one.field !== field || typeof one.value !== 'object') continue
    const moment = parseTimestamp(one.value.moment)
    if (!moment || one.comparison === 'ne') continue
    if (['ge', 'gt', 'eq'].includes(one.comparison) && !(range.from && range.from > moment)) range.from = moment
    if (['le', 'lt', 'eq'].includes(one.comparison) && !(range.to && range.to < moment)) range.to = moment
  }
  return range.from || range.to ? range : null
}

const creationOrder = /^\s*createdAt\b/u

/**
 * A condition on the creation time that follows from a filter on a business date; undefined if none does, or if the list
 * is not sorted by creation. An index serves one range: without this condition a list sorted by creation would be
 * scanned to its end for the last payments of a month.
 */
export async function findCreationSpan(
  db: Database,
  merchantId: string,
  { filter: source, orderby }: ListQuery,
): Promise<SQL | undefined> {
  const filter = parsePaymentFilter(source)
  if (!filter || (orderby && !creationOrder.test(orderby))) return undefined
  const conditions: (SQL | undefined)[] = []
  for (const field of ['scheduleDate', 'paymentDate']) {
    const range = findDateRange(filter, field)
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
