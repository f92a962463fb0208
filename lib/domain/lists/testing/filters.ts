import type { TableFilter } from '../filter-values'

/** Where filters are read, in tests. */
export const context = { zone: 'Europe/Copenhagen', today: '2026-11-25', amounts: 'minor' } as const

/** A search, a state that rows may add to, and a mode. */
export const filters: TableFilter[] = [
  {
    kind: 'text',
    id: 'search',
    label: () => 'Search',
    placeholder: () => '',
    search: { parts: ['customer/name', 'reference'] },
  },
  {
    kind: 'choice',
    id: 'state',
    label: () => 'State',
    field: 'status',
    isOpen: true,
    options: [{ value: 'Pending', label: () => 'Pending' }],
  },
  {
    kind: 'choice',
    id: 'mode',
    label: () => 'Mode',
    field: 'test',
    options: [{ value: 'live', label: () => 'Live', is: false }],
  },
]
