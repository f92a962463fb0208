import { and, or, type SQL, sql } from 'drizzle-orm'
import type { Comparison, Filter, FilterMoment } from '@/lib/contract/filter'
import type { NamedCustomers } from './find-named-customers'
import { fold, grams } from './fold'
import { columnOf, fieldOf, type ListField, type ListShape } from './list-fields'
import { parseMoment } from './parse-moment'

const operators: Record<Comparison, SQL> = {
  eq: sql.raw('='),
  ne: sql.raw('is distinct from'),
  gt: sql.raw('>'),
  ge: sql.raw('>='),
  lt: sql.raw('<'),
  le: sql.raw('<='),
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

/** A literal as a bound parameter of the field's type; null for text that cannot be an id. */
function bindValue(field: ListField, value: string | number | boolean | FilterMoment): SQL | null {
  if (typeof value === 'boolean') return sql`${value}::boolean`
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${String(value)}::numeric`
  if (typeof value === 'object') return sql`${parseMoment(value.moment)?.toISOString()}::timestamptz`
  if (field.kind === 'uuid') return uuid.test(value) ? sql`${value}::uuid` : null
  return sql`${field.spelling ? field.spelling(value) : fold(value)}::text`
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
  const wanted = fold(filter.value)
  const found = sql`strpos(${columnOf(shape, field.column)}, ${wanted}::text) > 0`
  const who = filter.field === 'customer/name' ? named?.get(wanted) : undefined
  if (who === 'many') return found
  if (who) return sql`${columnOf(shape, 'customerId')} = any(${`{${who.join(',')}}`}::uuid[])`
  const parts = grams(wanted)
  if (!field.indexed || parts.length === 0) return found
  return sql`(${columnOf(shape, 'grams')} @> ${`{${parts.join(',')}}`}::integer[] and ${found})`
}

/**
 * A parsed filter as a condition; every literal is a bound parameter, every column comes from `listShapes`.
 * `named` may tell whom texts in the customer's name mean.
 */
export function filterSql(shape: ListShape, filter: Filter, named?: NamedCustomers): SQL | undefined {
  if (filter.kind === 'compare') return compareSql(shape, filter)
  if (filter.kind === 'contains') return containsSql(shape, filter, named)
  const parts = filter.filters.map((part) => filterSql(shape, part, named))
  return filter.kind === 'and' ? and(...parts) : or(...parts)
}
