import { getLanguage } from '@/lib/language/runtime'
import type { Comparison, FieldKind, Filter, SortOrder } from '@/lib/api-contract/filter'
import { foldAccents, foldText } from '@/lib/api-contract/fold-text'
import { parseTimestamp } from '../dates/date'
import { idKey } from '../ids'

/** The value at a field path of filters and sort orders: `customer/name` is `name` inside `customer`. */
export function getField(row: unknown, field: string): unknown {
  let value: unknown = row
  for (const name of field.split('/')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? null
}

function isSatisfied(comparison: Comparison, difference: number): boolean {
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

/** Text in its comparable form: regardless of case and of how accents are composed. */
function fold(value: unknown): string {
  return foldText(String(value))
}

/** Equal values of a field have equal keys. Ids and handles are not compared as text (see ids.ts). */
function equalityKey(field: string, value: unknown): string {
  const name = field.split('/').at(-1)
  if (name === 'handle') return String(value)
  return name === 'id' ? idKey(String(value)) : fold(value)
}

function matchCompare(filter: Filter & { kind: 'compare' }, value: unknown): boolean {
  const wanted = filter.value
  if (value === null) return filter.comparison === 'ne'
  if (typeof wanted === 'boolean') return isSatisfied(filter.comparison, value === wanted ? 0 : 1)
  if (typeof wanted === 'string') {
    const { field, comparison } = filter
    const isEqual = equalityKey(field, value) === equalityKey(field, wanted)
    if (comparison === 'eq' || comparison === 'ne') return isEqual === (comparison === 'eq')
    const [left, right] = [fold(value), fold(wanted)]
    return isSatisfied(comparison, left === right ? 0 : left < right ? -1 : 1)
  }
  const difference =
    typeof wanted === 'number' ? Number(value) - wanted : parseTimestamp(value) - Date.parse(wanted.moment)
  return !Number.isNaN(difference) && isSatisfied(filter.comparison, difference)
}

/** What filters seek, folded: one is matched against many rows. */
const wantedTexts = new WeakMap<Filter, string>()

function foldWanted(filter: Filter & { kind: 'contains' }): string {
  const wanted = wantedTexts.get(filter) ?? foldAccents(filter.value)
  wantedTexts.set(filter, wanted)
  return wanted
}

/**
 * Whether a loaded row matches a filter, which is also sent to the service if it was proven to support it. Text is
 * compared regardless of case, and of accents where a part of it is sought, ids and handles for equality as in ids.ts; a null or missing field matches only `ne`.
 */
export function matchesFilter(filter: Filter, row: unknown): boolean {
  switch (filter.kind) {
    case 'compare':
      return matchCompare(filter, getField(row, filter.field))
    case 'contains': {
      const value = getField(row, filter.field)
      return (
        (typeof value === 'string' || typeof value === 'number') &&
        foldAccents(String(value)).includes(foldWanted(filter))
      )
    }
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, row))
    default:
      return filter.filters.some((part) => matchesFilter(part, row))
  }
}

/** By language, created on first use: a collator costs a browser as much time as ten rows. */
const collators = new Map<string, Intl.Collator>()

function compareTexts(left: string, right: string): number {
  const language = getLanguage()
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  collators.set(language, collator)
  return collator.compare(left, right)
}

/** The value that a row is sorted by; null if the row has none. */
export function sortKey(row: unknown, field: string, kind: FieldKind): number | string | null {
  const value = getField(row, field)
  if (value === null) return null
  if (kind !== 'number' && kind !== 'moment') return typeof value === 'string' ? value : JSON.stringify(value)
  const number = kind === 'number' ? Number(value) : parseTimestamp(value)
  return Number.isNaN(number) ? null : number
}

type Comparator = (left: object, right: object) => number

function compareBy({ field, direction }: SortOrder, kind: FieldKind): Comparator {
  const sign = direction === 'desc' ? -1 : 1
  // A row is compared many times; one that changes is another object.
  const keys = new WeakMap<object, number | string | null>()
  const getKey = (row: object) => {
    let key = keys.get(row)
    if (key === undefined) {
      key = sortKey(row, field, kind)
      keys.set(row, key)
    }
    return key
  }
  return (left, right) => {
    const [a, b] = [getKey(left), getKey(right)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b)))
  }
}

/**
 * A comparator of loaded rows by fields, the first that differs deciding. `kinds` are the types of the list's fields
 * (see `filterFields`). Rows without a field come last in either direction.
 */
export function createRowComparator(
  orders: readonly SortOrder[],
  kinds: Readonly<Record<string, FieldKind>>,
): Comparator {
  const comparators = orders.map((order) => compareBy(order, kinds[order.field] ?? 'text'))
  return (left, right) => {
    for (const compare of comparators) {
      const result = compare(left, right)
      if (result !== 0) return result
    }
    return 0
  }
}
