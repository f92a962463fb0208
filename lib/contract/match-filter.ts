import type { Comparison, Filter } from './filter'
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

function matchCompare(filter: Filter & { kind: 'compare' }, value: unknown): boolean {
  const wanted = filter.value
  if (value === null) return filter.comparison === 'ne'
  if (typeof wanted === 'boolean') return holds(filter.comparison, value === wanted ? 0 : 1)
  if (typeof wanted === 'string') {
    const [left, right] = [fold(value), fold(wanted)]
    return holds(filter.comparison, left === right ? 0 : left < right ? -1 : 1)
  }
  const difference = typeof wanted === 'number' ? Number(value) - wanted : readMoment(value) - Date.parse(wanted.moment)
  return !Number.isNaN(difference) && holds(filter.comparison, difference)
}

/**
 * Whether a loaded row satisfies a filter: the same filter that is sent to the service where that was
 * proven to work. Text is compared without regard to case; a field that is null or missing satisfies
 * nothing but `ne`.
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
