import { isStaleKey } from '@/lib/client/row-index'
import type { DeclaredColumn } from './column-layout'
import { type Filter, formatFilter, formatSortOrder, joinFilters, type SortOrder } from '@/lib/api-contract/filter'
import {
  capabilitiesFor,
  type Capability,
  capabilityForOrder,
  type CapabilityProofs,
  isCaseSensitive,
} from '@/lib/domain/lists/capabilities'
import { findUncompared } from '@/lib/domain/lists/text-search'
import { chosenCurrency, type FilterContext, makeFilter, type TableFilter } from '../list-filters/filter-values'
import { columnId, idOfPart } from './column-layout'

/** The view of a table that its URL encodes. */
export type TableView = {
  /** Filter values by filter id; unset ones are absent. */
  values: Readonly<Record<string, string>>
  sorting: SortOrder | null
  /** The column layout in the URL, as `arrangeColumns` reads it; null for the reader's own. */
  columns: string | null
  openRowId: string | null
}

type Schema = { filters: readonly TableFilter[]; columns: readonly DeclaredColumn[] }
type Query = { get: (name: string) => string | null }

/** What is no value of its filter stays: somebody who mistyped an address must not act on the whole list. */
function parseValues(filters: readonly TableFilter[], query: Query): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = query.get(filter.id)
      return value && value.trim() !== '' ? [[filter.id, value] as const] : []
    }),
  )
}

function parseSorting({ columns }: Schema, given: string | null): SortOrder | null {
  const field = given?.replace(/^-/u, '')
  if (!field || !columns.some((column) => column.meta?.isSortable && columnId(column) === field)) return null
  return { field, direction: given?.startsWith('-') ? 'desc' : 'asc' }
}

/** A layout without the columns that this table does not have. */
function parseColumns({ columns }: Schema, given: string | null): string | null {
  const known = given?.split('.').filter((part) => columns.some((column) => columnId(column) === idOfPart(part)))
  return known?.join('.') || null
}

/** Parses a view from a query string, ignoring parameters, columns and orders that the table does not know. */
export function parseView(schema: Schema, query: Query): TableView {
  const open = query.get('open')
  return {
    values: parseValues(schema.filters, query),
    sorting: parseSorting(schema, query.get('sort')),
    columns: parseColumns(schema, query.get('columns')),
    openRowId: open && !isStaleKey(open) ? open : null,
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
  // A comma needs no escape, and a choice of several reads better without.
  const text = query.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** How a view is split between the upstream API and the browser. */
export type ListPlan = {
  request: { filter?: string; orderby?: string }
  /** The same filter as data, to check that the reply complies with it. */
  requestedFilter: Filter | null
  /** Likewise what the API sorts by. */
  requestedOrders: readonly SortOrder[]
  /** The capabilities that the request relies on. */
  requiredCapabilities: readonly Capability[]
  clientSide: { filter: Filter | null; orders: readonly SortOrder[] }
  /** Whether the API matches the filter case-sensitively. */
  isCaseSensitive: boolean
}

/** The order of a view. Amounts of several currencies are not comparable: they are sorted within each. */
export function listOrders(
  filters: readonly TableFilter[],
  { sorting, values }: Pick<TableView, 'sorting' | 'values'>,
): readonly SortOrder[] {
  if (!sorting) return []
  const isAmount = filters.some((filter) => filter.kind === 'amount' && filter.field === sorting.field)
  return isAmount && chosenCurrency(values) === undefined
    ? [{ field: 'currency', direction: 'asc' }, sorting]
    : [sorting]
}

/**
 * Plans a view: filters and sorting go to the API as far as `proofs` show that it supports them; the rest is applied
 * to the loaded rows. `baseFilter` always applies, such as "of this customer".
 */
export function planQuery(
  filters: readonly TableFilter[],
  view: TableView,
  proofs: CapabilityProofs,
  context: FilterContext,
  baseFilter: Filter | null = null,
): ListPlan {
  const isProven = (capabilities: readonly Capability[]) => capabilities.every((ability) => proofs[ability] === true)
  const search = { ...context, uncompared: findUncompared(proofs) }
  const chosen = filters.flatMap((filter) => makeFilter(filter, view.values, search) ?? [])
  // A conjunction is split, so that each condition goes as far as it can.
  const parts = baseFilter?.kind === 'and' ? baseFilter.filters : baseFilter ? [baseFilter] : []
  const wanted = [...parts, ...chosen]
  const supported = wanted.filter((filter) => isProven(capabilitiesFor(filter)))
  const sent = isProven(['and']) ? supported : supported.slice(0, 1)
  const requestedFilter = joinFilters('and', sent)
  const orders = listOrders(filters, view)
  const canSort = orders.length > 0 && isProven([capabilityForOrder(orders)])
  const requestedOrders = canSort ? orders : []
  return {
    request: {
      ...(requestedFilter && { filter: formatFilter(requestedFilter) }),
      ...(canSort && { orderby: formatSortOrder(orders) }),
    },
    requestedFilter,
    requestedOrders,
    requiredCapabilities: [
      ...(requestedFilter ? capabilitiesFor(requestedFilter) : []),
      ...(canSort ? [capabilityForOrder(orders)] : []),
    ],
    clientSide: {
      filter: joinFilters(
        'and',
        wanted.filter((filter) => !sent.includes(filter)),
      ),
      orders: canSort ? [] : orders,
    },
    isCaseSensitive: requestedFilter !== null && isCaseSensitive(requestedFilter, proofs),
  }
}
