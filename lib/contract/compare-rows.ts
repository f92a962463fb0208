import type { FieldKind, Order } from './filter'
import { readField } from './read-field'
import { readMoment } from './read-moment'

/** Made when it is first wanted: a collator takes a browser as long as ten rows do. */
let collator: Intl.Collator | undefined

function compareWords(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(left, right)
}

/** What two rows are compared by: a number or a text, null where the row says nothing. */
function readKey(row: unknown, field: string, kind: FieldKind): number | string | null {
  const value = readField(row, field)
  if (value === null) return null
  if (kind !== 'number' && kind !== 'moment') return typeof value === 'string' ? value : JSON.stringify(value)
  const number = kind === 'number' ? Number(value) : readMoment(value)
  return Number.isNaN(number) ? null : number
}

/**
 * Makes the comparison of two loaded rows by one field, for `sort`. `kind` is what the field holds (see
 * `filterFields`). Rows without the field come last in either direction.
 */
export function compareRows({ field, direction }: Order, kind: FieldKind): (left: unknown, right: unknown) => number {
  const sign = direction === 'desc' ? -1 : 1
  return (left, right) => {
    const [a, b] = [readKey(left, field, kind), readKey(right, field, kind)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compareWords(String(a), String(b)))
  }
}
