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
  scheduleDate: day((index * 13) % 60),
  createdAt: day(-index),
  customer: { id: `c${index % 5}`, name: ['Ann Berg', 'Bo Dahl', 'Åse Holm', 'Kim Lund', 'Ida Vig'][index % 5] },
  mandate: { id: `m${index % 5}`, handle: `md_${index % 5}`, scheme: index % 2 === 0 ? 'nets-bs' : 'nets-ls' },
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
  const [, field = '', value = ''] = /^([\w/]+) eq (.*)$/u.exec(filter) ?? []
  return String(getField(row, field)) === value.replaceAll("'", '')
}

/** Rows sorted by one field. */
export function order(list: readonly FilterableRow[], orderby: string): FilterableRow[] {
  const [field = '', direction] = orderby.split(' ')
  const key = (row: FilterableRow) => getField(row, field) as string
  return list.toSorted((left, right) => (key(left) < key(right) ? -1 : 1) * (direction === 'desc' ? -1 : 1))
}
