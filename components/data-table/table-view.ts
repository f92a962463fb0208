import { type Filter, formatFilter, formatSortOrder, type SortOrder } from '@/lib/api-contract/filter'
import {
  capabilitiesFor,
  type Capability,
  capabilityForOrder,
  type CapabilityProofs,
  isCaseSensitive,
} from '@/lib/domain/lists/capabilities'
import { columnId } from './column-layout'
import type { TableFilter } from './list-definition'

/** The view of a table that its URL encodes. */
export type TableView = {
  /** Filter values by filter id; unset ones are absent. */
  values: Readonly<Record<string, string>>
  sorting: SortOrder | null
  /** The column layout in the URL, as `arrangeColumns` reads it; null for the reader's own. */
  columns: string | null
  openRowId: string | null
}

type Schema = { filters: readonly TableFilter[]; columns: readonly { enableSorting?: boolean }[] }
type Query = { get: (name: string) => string | null }

const MAX_VALUE_LENGTH = 200

function parseValue(filter: TableFilter, given: string | null): string | null {
  if (given === null || given.trim() === '' || given.length > MAX_VALUE_LENGTH || !given.isWellFormed()) return null
  if (filter.kind === 'text' || filter.isOpen) return given
  return filter.options.some(({ value }) => value === given) ? given : null
}

function parseSorting({ columns }: Schema, given: string | null): SortOrder | null {
  const field = given?.replace(/^-/u, '')
  if (!field || !columns.some((column) => column.enableSorting && columnId(column) === field)) return null
  return { field, direction: given?.startsWith('-') ? 'desc' : 'asc' }
}

/** Such as `reference-160.payer`: ids in order, each with an optional width in pixels. */
function parseColumns({ columns }: Schema, given: string | null): string | null {
  const known = given?.split('.').filter((part) => columns.some((column) => columnId(column) === part.split('-')[0]))
  return known?.join('.') || null
}

/** Parses a view from a query string, ignoring what the table does not know. */
export function parseView(schema: Schema, query: Query): TableView {
  const values = schema.filters.flatMap((filter) => {
    const value = parseValue(filter, query.get(filter.id))
    return value === null ? [] : [[filter.id, value] as const]
  })
  return {
    values: Object.fromEntries(values),
    sorting: parseSorting(schema, query.get('sort')),
    columns: parseColumns(schema, query.get('columns')),
    openRowId: query.get('open') || null,
  }
}

/** Formats a view as a query string with its `?`; empty for the default view. */
export function formatView(schema: Schema, { values, sorting, columns, openRowId }: TableView): string {
  const query = new URLSearchParams()
  for (const { id } of schema.filters) {
    const value = values[id]
    if (value !== undefined && value !== '') query.set(id, value)
  }
  if (sorting) query.set('sort', sorting.direction === 'desc' ? `-${sorting.field}` : sorting.field)
  if (columns) query.set('columns', columns)
  if (openRowId) query.set('open', openRowId)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** How a view is split between the upstream API and the browser. */
export type ListPlan = {
  request: { filter?: string; orderby?: string }
  /** The same filter as data, to check that the reply complies with it. */
  requestedFilter: Filter | null
  /** The capabilities that the request relies on. */
  requiredCapabilities: readonly Capability[]
  clientSide: { filter: Filter | null; sorting: SortOrder | null }
  /** Whether the API matches the filter case-sensitively. */
  isCaseSensitive: boolean
}

function join(kind: 'and' | 'or', filters: readonly Filter[]): Filter | null {
  const [first, ...others] = filters
  if (!first) return null
  return others.length === 0 ? first : { kind, filters }
}

function makeFilter(filter: TableFilter, value: string): Filter | null {
  if (filter.kind === 'text') {
    const wanted = value.trim()
    return join(
      'or',
      filter.fields.map((field) => ({ kind: 'contains', field, value: wanted })),
    )
  }
  const option = filter.options.find((one) => one.value === value)
  return { kind: 'compare', field: filter.field, comparison: 'eq', value: option?.is ?? value }
}

/**
 * Plans a view: filters and sorting go to the API as far as `proofs` show that it supports them; the rest is applied
 * to the loaded rows. `baseFilter` always applies, such as "of this customer".
 */
export function planQuery(
  filters: readonly TableFilter[],
  view: TableView,
  proofs: CapabilityProofs,
  baseFilter: Filter | null = null,
): ListPlan {
  const isProven = (capabilities: readonly Capability[]) => capabilities.every((ability) => proofs[ability] === true)
  const chosen = filters.flatMap((filter) => {
    const value = view.values[filter.id]
    return (value === undefined ? null : makeFilter(filter, value)) ?? []
  })
  // A conjunction is split, so that each condition goes as far as it can.
  const parts = baseFilter?.kind === 'and' ? baseFilter.filters : baseFilter ? [baseFilter] : []
  const wanted = [...parts, ...chosen]
  const supported = wanted.filter((filter) => isProven(capabilitiesFor(filter)))
  const sent = isProven(['and']) ? supported : supported.slice(0, 1)
  const requestedFilter = join('and', sent)
  const canSort = view.sorting !== null && isProven([capabilityForOrder(view.sorting)])
  return {
    request: {
      ...(requestedFilter && { filter: formatFilter(requestedFilter) }),
      ...(canSort && view.sorting && { orderby: formatSortOrder([view.sorting]) }),
    },
    requestedFilter,
    requiredCapabilities: [
      ...(requestedFilter ? capabilitiesFor(requestedFilter) : []),
      ...(canSort && view.sorting ? [capabilityForOrder(view.sorting)] : []),
    ],
    clientSide: {
      filter: join(
        'and',
        wanted.filter((filter) => !sent.includes(filter)),
      ),
      sorting: canSort ? null : view.sorting,
    },
    isCaseSensitive: requestedFilter !== null && isCaseSensitive(requestedFilter, proofs),
  }
}
