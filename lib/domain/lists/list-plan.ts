import { type Filter, formatFilter, formatSortOrder, joinFilters, type SortOrder } from '@/lib/api-contract/filter'
import {
  capabilitiesFor,
  type Capability,
  capabilityForOrder,
  type CapabilityProofs,
  isCaseSensitive,
} from './capabilities'
import { chosenCurrency, type FilterContext, type FilterValues, makeFilter, type TableFilter } from './filter-values'
import { findUncompared } from './text-search'

/** What is listed, and in which order; null is the provider's. */
type ListedView = { values: FilterValues; sorting: SortOrder | null }

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
export function listOrders(filters: readonly TableFilter[], { sorting, values }: ListedView): readonly SortOrder[] {
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
  view: ListedView,
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
