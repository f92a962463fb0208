import { type Filter, filterFields, type SortOrder } from '@/lib/api-contract/filter'

/** The paginated lists of the API. */
export type ListId = keyof typeof filterFields

/**
 * A filter or sort feature of a list: `eq:status`, `contains:customer/name`, `order:createdAt`, `and`, `or`.
 * `anycase:reference`: `contains` ignores case. `eq:ids`, which is not probed: one filter can name several ids
 * (`id eq … or id eq …`). The interface shows no syntax for filter and orderby, so each capability is probed before use.
 */
export type Capability = string

/** The probed capabilities of a list. A missing one was not probed yet. */
export type CapabilityProofs = Readonly<Record<Capability, boolean>>

/**
 * The capabilities that the desk's tables use, in the order in which they are probed: joins after all that they can join,
 * and kinds of filters mixed, because several refusals in a row end the probing.
 */
export const usedCapabilities: Record<ListId, readonly Capability[]> = {
  listPayments: [
    'eq:id',
    'eq:status',
    'eq:test',
    'eq:currency',
    'eq:mandate/scheme',
    'eq:customer/id',
    'eq:mandate/id',
    'contains:customer/name',
    'anycase:customer/name',
    'contains:reference',
    'anycase:reference',
    'ge:scheduleDate',
    'lt:scheduleDate',
    'contains:description',
    'anycase:description',
    'eq:amount',
    'ge:amount',
    'le:amount',
    'eq:handle',
    'ge:createdAt',
    'lt:createdAt',
    'ge:paymentDate',
    'lt:paymentDate',
    'ge:settlementDate',
    'lt:settlementDate',
    'ge:modifiedAt',
    'lt:modifiedAt',
    'eq:mandate/handle',
    'ne:mandate/scheme',
    'or',
    'and',
    'order:paymentDate',
    'order:scheduleDate',
    'order:createdAt',
    'order:amount',
    'order:currency,amount',
  ],
  listCustomers: [
    'contains:name',
    'anycase:name',
    'contains:number',
    'contains:handle',
    'anycase:handle',
    'eq:id',
    'ge:createdAt',
    'lt:createdAt',
    'or',
    'and',
    'order:name',
    'order:createdAt',
    'order:modifiedAt',
  ],
  listMandates: [
    'eq:status',
    'eq:scheme',
    'contains:handle',
    'anycase:handle',
    'contains:customer/name',
    'anycase:customer/name',
    'contains:customer/number',
    'eq:id',
    'or',
    'and',
  ],
}

/** The capabilities that a filter requires. */
export function capabilitiesFor(filter: Filter): Capability[] {
  switch (filter.kind) {
    case 'compare':
      return [`${filter.comparison}:${filter.field}`]
    case 'contains':
      return [`contains:${filter.field}`]
    default:
      return [filter.kind, ...filter.filters.flatMap(capabilitiesFor)]
  }
}

/** Whether a `contains` of the filter was found to be case-sensitive at the service. */
export function isCaseSensitive(filter: Filter, proofs: CapabilityProofs): boolean {
  if (filter.kind === 'compare') return false
  if (filter.kind === 'contains') return proofs[`anycase:${filter.field}`] === false
  return filter.filters.some((part) => isCaseSensitive(part, proofs))
}

/** The capability that an order requires: `order:createdAt`, or `order:currency,amount` for several fields. */
export function capabilityForOrder(orders: readonly SortOrder[]): Capability {
  return `order:${orders.map(({ field }) => field).join(',')}`
}
