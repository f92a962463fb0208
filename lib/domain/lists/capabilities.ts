import { type Filter, filterFields, type SortOrder } from '@/lib/api-contract/filter'

/** The lists of the interface: those that page. */
export type ListId = keyof typeof filterFields

/**
 * What a list may be able to do beyond paging: `eq:status`, `contains:customer/name`, `order:createdAt`,
 * `and`, `or`; `anycase:reference` says that `contains` finds a text whatever the case of its letters; `eq:ids`, which no
 * probe tries, that one filter names several ids (`id eq … or id eq …`). The interface shows no syntax for filter and
 * orderby, so each is proven before use.
 */
export type Capability = string

/** What is known of a list's abilities. One that is missing was not tried yet. */
export type CapabilityProofs = Readonly<Record<Capability, boolean>>

/** The abilities that the desk's tables make use of, and so the ones that are probed. */
export const usedCapabilities: Record<ListId, readonly Capability[]> = {
  listPayments: [
    'eq:id',
    'eq:status',
    'eq:test',
    'eq:mandate/scheme',
    'eq:customer/id',
    'eq:mandate/id',
    'contains:customer/name',
    'anycase:customer/name',
    'contains:reference',
    'anycase:reference',
    'or',
    'and',
    'order:scheduleDate',
    'order:createdAt',
    'order:amount',
  ],
  listCustomers: [
    'contains:name',
    'anycase:name',
    'contains:number',
    'contains:handle',
    'anycase:handle',
    'or',
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
    'or',
    'and',
  ],
}

/** The abilities that a list needs for a filter. */
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

/** Whether the service was found to tell capital letters from small ones where a filter looks for text. */
export function isCaseSensitive(filter: Filter, proofs: CapabilityProofs): boolean {
  if (filter.kind === 'compare') return false
  if (filter.kind === 'contains') return proofs[`anycase:${filter.field}`] === false
  return filter.filters.some((part) => isCaseSensitive(part, proofs))
}

/** The ability that a list needs for an order. */
export function capabilityForOrder({ field }: SortOrder): Capability {
  return `order:${field}`
}
