import type { Comparison, Filter } from './filter'
import { idKey } from './ids'
import { readField } from './read-field'
import { readMoment } from './read-moment'

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
  const difference = typeof wanted === 'number' ? Number(value) - wanted : readMoment(value) - Date.parse(wanted.moment)
  return !Number.isNaN(difference) && holds(filter.comparison, difference)
}

/**
 * Whether a loaded row satisfies a filter: the same filter that is sent to the service where that was
 * proven to work. Text is compared without regard to case, but whether ids or handles are equal is told as ids.ts
 * says; a field that is null or missing satisfies nothing but `ne`.
 */
export function matchFilter(filter: Filter, row: unknown): boolean {
  switch (filter.kind) {
    case 'compare':
      return matchCompare(filter, readField(row, filter.field))
    case 'contains': {
      const value = readField(row, filter.field)
      return value !== null && fold(value).includes(fold(filter.value))
    }
    case 'and':
      return filter.filters.every((part) => matchFilter(part, row))
    default:
      return filter.filters.some((part) => matchFilter(part, row))
  }
}
