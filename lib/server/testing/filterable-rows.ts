import { getField } from '@/lib/domain/lists/row-matching'

export type FilterableRow = { id: string; status: string; test: boolean; reference: string; amount: number } & Record<
  string,
  unknown
>

const day = (number: number) => new Date(Date.UTC(2026, 10, 1) + number * 86_400_000).toISOString()
export const filterableRows: FilterableRow[] = Array.from({ length: 60 }, (_, index) => ({
  id: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`,
  status: ['Pending', 'Settled', 'Rejected'][index % 3] ?? '',
  test: index % 4 === 0,
  reference: `PMT-${1000 + index}`,
  amount: (index * 7919) % 100,
  currency: ['DKK', 'EUR', 'DKK', 'SEK'][index % 4],
  description: `Order ${5000 + index}`,
  handle: `pay_${index}`,
  scheduleDate: day((index * 13) % 60),
  paymentDate: day((index * 17) % 60),
  settlementDate: index % 3 === 1 ? day((index * 11) % 60) : null,
  createdAt: day(-index),
  modifiedAt: day((index * 19) % 60),
  customer: { id: `c${index % 5}`, name: ['Ann Berg', 'Bo Dahl', 'Åse Holm', 'Kim Lund', 'Ida Vig'][index % 5] },
  mandate: {
    id: `m${index % 5}`,
    handle: `md_${index % 5}`,
    scheme: ['nets-bs', 'nets-ls', 'nets-bs', null][index % 4],
  },
}))

/** Whether a filter matches a row, by an independent implementation: single terms joined by `and` or `or`. */
export function evaluate(filter: string, row: FilterableRow): boolean {
  if (filter.includes(' and ')) return filter.split(' and ').every((term) => evaluate(term, row))
  if (filter.includes(' or ')) return filter.split(' or ').some((term) => evaluate(term, row))
  const contains = /^contains\(([\w/]+),'(.*)'\)$/u.exec(filter)
  if (contains)
    return String(getField(row, contains[1] ?? ''))
      .toLowerCase()
      .includes((contains[2] ?? '').toLowerCase())
  const [, field = '', operator, value = ''] = /^([\w/]+) (eq|ne|ge|le|lt) (.*)$/u.exec(filter) ?? []
  const held = getField(row, field)
  if (operator === 'eq') return String(held) === value.replaceAll("'", '')
  if (operator === 'ne') return String(held) !== value.replaceAll("'", '')
  if (held === null) return false
  const difference = typeof held === 'number' ? held - Number(value) : Date.parse(held as string) - Date.parse(value)
  return operator === 'ge' ? difference >= 0 : operator === 'le' ? difference <= 0 : difference < 0
}

/** Rows sorted by fields, the first that differs deciding. */
export function order(list: readonly FilterableRow[], orderby: string): FilterableRow[] {
  const terms = orderby.split(',').map((term) => term.split(' '))
  return list.toSorted((left, right) => {
    for (const [field = '', direction] of terms) {
      const [a, b] = [getField(left, field) as string, getField(right, field) as string]
      if (a !== b) return (a < b ? -1 : 1) * (direction === 'desc' ? -1 : 1)
    }
    return 0
  })
}
