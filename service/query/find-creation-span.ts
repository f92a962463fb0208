import { and, eq, gte, lte, max, min, type SQL, sql } from 'drizzle-orm'
import type { Filter } from '@/lib/contract/filter'
import type { ListQuery } from '@/lib/contract/page'
import type { Database } from '@/lib/database/open-database'
import { payments } from '../store/schema'
import { creationSpans } from '../store/span-schema'
import { parseMoment } from './parse-moment'
import { readFilter } from './read-filter'

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
    const moment = parseMoment(one.value.moment)
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
  const filter = readFilter(source)
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
