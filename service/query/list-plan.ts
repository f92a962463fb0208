import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Comparison, Filter, FilterTimestamp, SortOrder } from '@/lib/api-contract/filter'
import type { ListQuery } from '@/lib/api-contract/pagination'
import { Problem } from '../http/problem'
import { afterSql, type CursorScope, type CursorValue, decodeCursor, encodeCursor } from './cursor'
import { columnOf, fieldOf, type ListField, type ListShape } from './list-fields'
import { parseFilter, parseOrder } from './parser'
import type { NamedCustomers } from './prefilter'
import { foldAccents, foldText } from '@/lib/api-contract/fold-text'
import { containsText, grams } from './text-search'
import { parseTimestamp, SyntaxProblem } from './tokenizer'

const operators: Record<Comparison, SQL> = {
  eq: sql.raw('='),
  ne: sql.raw('is distinct from'),
  gt: sql.raw('>'),
  ge: sql.raw('>='),
  lt: sql.raw('<'),
  le: sql.raw('<='),
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

/** A literal as a bound parameter of the field's type; null for text that is no UUID in an id field. */
function bindValue(field: ListField, value: string | number | boolean | FilterTimestamp): SQL | null {
  if (typeof value === 'boolean') return sql`${value}::boolean`
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${String(value)}::numeric`
  if (typeof value === 'object') return sql`${parseTimestamp(value.moment)?.toISOString()}::timestamptz`
  if (field.kind === 'uuid') return uuid.test(value) ? sql`${value}::uuid` : null
  return sql`${(field.spelling ?? foldText)(value)}::text`
}

function compareSql(shape: ListShape, filter: Filter & { kind: 'compare' }): SQL {
  const field = fieldOf(shape, filter.field)
  const value = bindValue(field, filter.value)
  if (value === null) return filter.comparison === 'ne' ? sql`true` : sql`false`
  const nullable = field.filtered !== undefined
  const operator = filter.comparison === 'ne' && !nullable ? sql.raw('<>') : operators[filter.comparison]
  return sql`${columnOf(shape, field.filtered ?? field.column)} ${operator} ${value}`
}

function containsSql(shape: ListShape, filter: Filter & { kind: 'contains' }, named?: NamedCustomers): SQL {
  const field = fieldOf(shape, filter.field)
  const matching = foldAccents(filter.value)
  const found = containsText(columnOf(shape, field.column), matching)
  const who = filter.field === 'customer/name' ? named?.get(matching) : undefined
  if (who === 'many') return found
  if (who) return sql`${columnOf(shape, 'customerId')} = any(${`{${who.join(',')}}`}::uuid[])`
  const parts = grams(matching)
  if (!field.indexed || parts.length === 0) return found
  return sql`(${columnOf(shape, 'grams')} @> ${`{${parts.join(',')}}`}::integer[] and ${found})`
}

/**
 * A parsed filter as an SQL condition. Every literal is a bound parameter, every column comes from `listShapes`.
 * `named` holds customers found by name beforehand.
 */
export function filterSql(shape: ListShape, filter: Filter, named?: NamedCustomers): SQL | undefined {
  if (filter.kind === 'compare') return compareSql(shape, filter)
  if (filter.kind === 'contains') return containsSql(shape, filter, named)
  const parts = filter.filters.map((part) => filterSql(shape, part, named))
  return filter.kind === 'and' ? and(...parts) : or(...parts)
}

const DEFAULT_LIMIT = 20

/** What to select for one page, and how to build the page from the rows. */
export type ListPlan = {
  /** The merchant's rows that match the filter. */
  matching: SQL | undefined
  /** Those of them that come after the previous page. */
  where: SQL | undefined
  orders: readonly SortOrder[]
  /** The sort values of the previous page's last row; absent for the first page. */
  values?: readonly CursorValue[]
  orderBy: SQL[]
  /** One more than the page size, to know whether there are more rows. */
  limit: number
  finish: <Row extends Record<string, unknown>>(
    rows: Row[],
  ) => { results: Row[]; nextOffset: string | null; hasMore: boolean }
}

function parseParameter<Result>(parameter: 'filter' | 'orderby', read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const detail = `${parameter}: ${error.message}, at position ${error.position}.`
    throw new Problem(parameter === 'filter' ? 'filter' : 'orderby', detail, {
      errors: { [parameter]: [error.message] },
      position: error.position,
      expected: error.expected,
    })
  }
}

/** Appends the id in the direction of the last field, so that no two rows compare equal. */
function completeOrder(orders: readonly SortOrder[]): SortOrder[] {
  const at = orders.findIndex(({ field }) => field === 'id')
  if (at >= 0) return orders.slice(0, at + 1)
  return [...orders, { field: 'id', direction: orders.at(-1)?.direction ?? 'asc' }]
}

function cursorValue(value: unknown): CursorValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error(`A row cannot be continued from ${typeof value}`)
}

/**
 * Plans one keyset page of a merchant's rows for a list query. Throws Problem `filter` or `orderby` (with position and
 * expected tokens), or `offset` (a nextOffset that was not issued for this filter and order).
 */
export function planList(
  shape: ListShape,
  merchantId: string,
  query: ListQuery,
  secret: string,
  named?: NamedCustomers,
): ListPlan {
  const filter: Filter | null = query.filter
    ? parseParameter('filter', () => parseFilter(query.filter ?? '', shape.kinds))
    : null
  const requested = query.orderby
    ? parseParameter('orderby', () => parseOrder(query.orderby ?? '', Object.keys(shape.kinds)))
    : shape.order
  const orders = completeOrder(requested)
  const scope: CursorScope = {
    secret,
    merchantId,
    list: shape.name,
    filter: query.filter ?? '',
    order: JSON.stringify(orders),
  }
  const values = query.after === undefined ? undefined : decodeCursor(scope, query.after)
  if (values === null)
    throw new Problem('offset', 'after: this nextOffset was not given out for this list, filter and order.')
  const size = query.limit ?? DEFAULT_LIMIT
  const matching = and(
    eq(columnOf(shape, 'merchantId'), merchantId),
    filter ? filterSql(shape, filter, named) : undefined,
  )
  return {
    matching,
    where: and(matching, values && afterSql(shape, orders, values)),
    orders,
    values,
    orderBy: orders.map(({ field, direction }) =>
      (direction === 'desc' ? desc : asc)(columnOf(shape, fieldOf(shape, field).column)),
    ),
    limit: size + 1,
    finish: (rows) => {
      const results = rows.slice(0, size)
      const last = results.at(-1)
      const hasMore = rows.length > size && last !== undefined
      const key = hasMore ? orders.map(({ field }) => cursorValue(last[fieldOf(shape, field).column])) : null
      return { results, nextOffset: key && encodeCursor(scope, key), hasMore }
    },
  }
}
