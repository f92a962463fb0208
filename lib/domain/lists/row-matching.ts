import type { Comparison, FieldKind, Filter, SortOrder } from '@/lib/api-contract/filter'
import { parseTimestamp } from '../date'
import { idKey } from '../ids'

/** Reads a field by the name that filters and orders give it: `customer/name` is the name inside customer. */
export function getField(row: unknown, field: string): unknown {
  let value: unknown = row
  for (const name of field.split('/')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? null
}

function holds(comparison: Comparison, difference: number): boolean {
  switch (comparison) {
    case 'eq':
      return difference === 0
    case 'ne':
      return difference !== 0
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
    case 'lt':
      return difference < 0
    default:
      return difference <= 0
  }
}

/** Text as it is compared: without regard to case and to how its accents are written. */
function fold(value: unknown): string {
  return String(value).normalize('NFC').toLowerCase()
}

/** What two values of a field must share to be equal: ids and handles are no texts (see ids.ts). */
function equalityKey(field: string, value: unknown): string {
  const name = field.split('/').at(-1)
  if (name === 'handle') return String(value)
  return name === 'id' ? idKey(String(value)) : fold(value)
}

function matchCompare(filter: Filter & { kind: 'compare' }, value: unknown): boolean {
  const wanted = filter.value
  if (value === null) return filter.comparison === 'ne'
  if (typeof wanted === 'boolean') return holds(filter.comparison, value === wanted ? 0 : 1)
  if (typeof wanted === 'string') {
    const { field, comparison } = filter
    const isEqual = equalityKey(field, value) === equalityKey(field, wanted)
    if (comparison === 'eq' || comparison === 'ne') return isEqual === (comparison === 'eq')
    const [left, right] = [fold(value), fold(wanted)]
    return holds(comparison, left === right ? 0 : left < right ? -1 : 1)
  }
  const difference =
    typeof wanted === 'number' ? Number(value) - wanted : parseTimestamp(value) - Date.parse(wanted.moment)
  return !Number.isNaN(difference) && holds(filter.comparison, difference)
}

/**
 * Whether a loaded row satisfies a filter: the same filter that is sent to the service where that was
 * proven to work. Text is compared without regard to case, but whether ids or handles are equal is told as ids.ts
 * says; a field that is null or missing satisfies nothing but `ne`.
 */
export function matchesFilter(filter: Filter, row: unknown): boolean {
  switch (filter.kind) {
    case 'compare':
      return matchCompare(filter, getField(row, filter.field))
    case 'contains': {
      const value = getField(row, filter.field)
      return value !== null && fold(value).includes(fold(filter.value))
    }
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, row))
    default:
      return filter.filters.some((part) => matchesFilter(part, row))
  }
}

/** Made when it is first wanted: a collator takes a browser as long as ten rows do. */
let collator: Intl.Collator | undefined

function compareWords(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(left, right)
}

/** What two rows are compared by: a number or a text, null where the row says nothing. */
function readKey(row: unknown, field: string, kind: FieldKind): number | string | null {
  const value = getField(row, field)
  if (value === null) return null
  if (kind !== 'number' && kind !== 'moment') return typeof value === 'string' ? value : JSON.stringify(value)
  const number = kind === 'number' ? Number(value) : parseTimestamp(value)
  return Number.isNaN(number) ? null : number
}

/**
 * Makes the comparison of two loaded rows by one field, for `sort`. `kind` is what the field holds (see
 * `filterFields`). Rows without the field come last in either direction.
 */
export function createRowComparator(
  { field, direction }: SortOrder,
  kind: FieldKind,
): (left: unknown, right: unknown) => number {
  const sign = direction === 'desc' ? -1 : 1
  return (left, right) => {
    const [a, b] = [readKey(left, field, kind), readKey(right, field, kind)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareWords(String(a), String(b)))
  }
}
