/*
 * List filters and sort orders as data. The desk builds them and formats them as text, which the embedded service
 * parses. The grammar is ours, modelled on OData (decision 0004): the interface does not show one.
 *
 *     status eq 'Pending' and scheduleDate ge 2026-11-01 and contains(customer/name,'ann')
 */

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export type Filter =
  | { kind: 'compare'; field: string; comparison: Comparison; value: string | number | boolean | FilterTimestamp }
  | { kind: 'contains'; field: string; value: string }
  | { kind: 'and' | 'or'; filters: readonly Filter[] }

/** A date or date-time literal, written without quotes: `2026-11-01` or `2026-11-01T00:00:00Z`. */
export type FilterTimestamp = { moment: string }

export type SortOrder = { field: string; direction: 'asc' | 'desc' }

/** The type of a list field in filters and sort orders. `keyword` has few values and no meaningful order. */
export type FieldKind = 'text' | 'keyword' | 'number' | 'boolean' | 'moment' | 'uuid'

/** The fields of each list that can be filtered and sorted by (decision 0004). */
export const filterFields = {
  listPayments: {
    id: 'uuid',
    handle: 'text',
    reference: 'text',
    description: 'text',
    amount: 'number',
    currency: 'keyword',
    test: 'boolean',
    status: 'keyword',
    paymentDate: 'moment',
    scheduleDate: 'moment',
    settlementDate: 'moment',
    createdAt: 'moment',
    modifiedAt: 'moment',
    'customer/id': 'uuid',
    'customer/name': 'text',
    'mandate/id': 'uuid',
    'mandate/handle': 'text',
    'mandate/scheme': 'keyword',
  },
  listCustomers: {
    id: 'uuid',
    handle: 'text',
    name: 'text',
    number: 'text',
    createdAt: 'moment',
    modifiedAt: 'moment',
  },
  listMandates: {
    id: 'uuid',
    handle: 'text',
    scheme: 'keyword',
    status: 'keyword',
    'customer/id': 'uuid',
    'customer/name': 'text',
    'customer/number': 'text',
  },
} as const satisfies Record<string, Record<string, FieldKind>>

export type FieldOf<List extends keyof typeof filterFields> = keyof (typeof filterFields)[List] & string

function formatValue(value: string | number | boolean | FilterTimestamp): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'object' ? value.moment : String(value)
}

/** The conditions as one; null when there are none. */
export function joinFilters(kind: 'and' | 'or', given: readonly (Filter | null)[]): Filter | null {
  const filters = given.filter((filter) => filter !== null)
  const [first, ...others] = filters
  if (!first) return null
  return others.length === 0 ? first : { kind, filters }
}

/** Formats a filter in the grammar of decision 0004; `or` inside `and` gets parentheses. */
export function formatFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${filter.field} ${filter.comparison} ${formatValue(filter.value)}`
    case 'contains':
      return `contains(${filter.field},${formatValue(filter.value)})`
    default:
      return filter.filters
        .map((part) =>
          (part.kind === 'or' || part.kind === 'and') && part.kind !== filter.kind
            ? `(${formatFilter(part)})`
            : formatFilter(part),
        )
        .join(` ${filter.kind} `)
  }
}

/** Formats a sort order: `scheduleDate desc,amount`. */
export function formatSortOrder(orders: readonly SortOrder[]): string {
  return orders.map(({ field, direction }) => (direction === 'desc' ? `${field} desc` : field)).join(',')
}
