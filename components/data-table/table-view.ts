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
  order: SortOrder | null
  /** The column layout in the URL, as `arrangeColumns` reads it; null for the reader's own. */
  columns: string | null
  open: string | null
}

type Schema = { filters: readonly TableFilter[]; columns: readonly { enableSorting?: boolean }[] }
type Query = { get: (name: string) => string | null }

const longestValue = 200

function readValue(filter: TableFilter, given: string | null): string | null {
  if (given === null || given.trim() === '' || given.length > longestValue || !given.isWellFormed()) return null
  if (filter.kind === 'text' || filter.isOpen) return given
  return filter.options.some(({ value }) => value === given) ? given : null
}

function readOrder({ columns }: Schema, given: string | null): SortOrder | null {
  const field = given?.replace(/^-/u, '')
  if (!field || !columns.some((column) => column.enableSorting && columnId(column) === field)) return null
  return { field, direction: given?.startsWith('-') ? 'desc' : 'asc' }
}

/** Such as `reference-160.payer`: ids in order, each with an optional width in pixels. */
function readColumns({ columns }: Schema, given: string | null): string | null {
  const known = given?.split('.').filter((part) => columns.some((column) => columnId(column) === part.split('-')[0]))
  return known?.join('.') || null
}

/** Parses a view from a query string, ignoring what the table does not know. */
export function readView(schema: Schema, query: Query): TableView {
  const values = schema.filters.flatMap((filter) => {
    const value = readValue(filter, query.get(filter.id))
    return value === null ? [] : [[filter.id, value] as const]
  })
  return {
    values: Object.fromEntries(values),
    order: readOrder(schema, query.get('sort')),
    columns: readColumns(schema, query.get('columns')),
    open: query.get('open') || null,
  }
}

/** Formats a view as a query string with its `?`; empty for the default view. */
export function writeView(schema: Schema, { values, order, columns, open }: TableView): string {
  const query = new URLSearchParams()
  for (const { id } of schema.filters) {
    const value = values[id]
    if (value !== undefined && value !== '') query.set(id, value)
  }
  if (order) query.set('sort', order.direction === 'desc' ? `-${order.field}` : order.field)
  if (columns) query.set('columns', columns)
  if (open) query.set('open', open)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** How a view is split between the upstream API and the browser. */
export type ListPlan = {
  ask: { filter?: string; orderby?: string }
  /** The same filter as data, to check that the reply complies with it. */
  asked: Filter | null
  /** The capabilities that the request relies on. */
  abilities: readonly Capability[]
  rest: { filter: Filter | null; order: SortOrder | null }
  /** Whether the API matches the filter case-sensitively. */
  mindsCase: boolean
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
 * to the loaded rows. `within` always applies, such as "of this customer".
 */
export function planQuery(
  filters: readonly TableFilter[],
  view: TableView,
  proofs: CapabilityProofs,
  within: Filter | null = null,
): ListPlan {
  const isProven = (abilities: readonly Capability[]) => abilities.every((ability) => proofs[ability] === true)
  const chosen = filters.flatMap((filter) => {
    const value = view.values[filter.id]
    return (value === undefined ? null : makeFilter(filter, value)) ?? []
  })
  // A conjunction is split, so that each condition goes as far as it can.
  const parts = within?.kind === 'and' ? within.filters : within ? [within] : []
  const wanted = [...parts, ...chosen]
  const able = wanted.filter((filter) => isProven(capabilitiesFor(filter)))
  const sent = isProven(['and']) ? able : able.slice(0, 1)
  const asked = join('and', sent)
  const canOrder = view.order !== null && isProven([capabilityForOrder(view.order)])
  return {
    ask: {
      ...(asked && { filter: formatFilter(asked) }),
      ...(canOrder && view.order && { orderby: formatSortOrder([view.order]) }),
    },
    asked,
    abilities: [
      ...(asked ? capabilitiesFor(asked) : []),
      ...(canOrder && view.order ? [capabilityForOrder(view.order)] : []),
    ],
    rest: {
      filter: join(
        'and',
        wanted.filter((filter) => !sent.includes(filter)),
      ),
      order: canOrder ? null : view.order,
    },
    mindsCase: asked !== null && isCaseSensitive(asked, proofs),
  }
}
