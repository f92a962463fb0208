import type { FieldKind, Order } from '@/lib/contract/filter'
import { readField } from '@/lib/contract/read-field'
import { readMoment } from '@/lib/contract/read-moment'

const collator = new Intl.Collator('en', { sensitivity: 'base' })

/** Services sort text in different ways: by code unit, by folded code unit, or as a dictionary does. Any will do. */
const textOrders: readonly ((left: string, right: string) => number)[] = [
  (left, right) => (left < right ? -1 : Number(left > right)),
  (left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : Number(left.toLowerCase() > right.toLowerCase())),
  (left, right) => collator.compare(left, right),
]

/** The values of a field as what they are sorted by; rows that say nothing may stand anywhere. */
export function readSortValues(rows: readonly unknown[], field: string, kind: FieldKind): (number | string)[] {
  return rows.flatMap((row): (number | string)[] => {
    const value = readField(row, field)
    if (value === null) return []
    if (kind !== 'number' && kind !== 'moment') return [typeof value === 'string' ? value : JSON.stringify(value)]
    const number = kind === 'number' ? Number(value) : readMoment(value)
    return Number.isNaN(number) ? [] : [number]
  })
}

/** Whether values stand in an order, equal neighbours allowed. */
export function isSorted(values: readonly (number | string)[], direction: Order['direction']): boolean {
  const sign = direction === 'desc' ? -1 : 1
  const holds = (compare: (left: number | string, right: number | string) => number) =>
    values.every((value, index) => index === 0 || sign * compare(values[index - 1] ?? value, value) <= 0)
  if (values.every((value) => typeof value === 'number')) return holds((left, right) => Number(left) - Number(right))
  return textOrders.some((compare) => holds((left, right) => compare(String(left), String(right))))
}
