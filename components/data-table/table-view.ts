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

/** What the URL says of a table: the view that a link to it shows. */
export type TableView = {
  /** Values of filters by their id; those that are not set are missing. */
  values: Readonly<Record<string, string>>
  order: SortOrder | null
  /** The columns that the link asks for, as `arrangeColumns` reads them; null for the reader's own. */
  columns: string | null
  /** The id of the row that is open. */
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

/** Such as `reference-160.payer`: ids in their order, with a width in pixels where one was chosen. */
function readColumns({ columns }: Schema, given: string | null): string | null {
  const known = given?.split('.').filter((part) => columns.some((column) => columnId(column) === part.split('-')[0]))
  return known?.join('.') || null
}

/** Reads a table's view from a URL's query. What the table does not know is ignored. */
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

/** Writes a view as a query, with its `?`; empty for the plain table. */
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

/** How a view is brought about: what the service is asked, and what is left to do with the loaded rows. */
export type ListPlan = {
  ask: { filter?: string; orderby?: string }
  /** The filter that is asked, for checking that the answer keeps to it. */
  asked: Filter | null
  /** What must have been proven for the asking. */
  abilities: readonly Capability[]
  rest: { filter: Filter | null; order: SortOrder | null }
  /** Whether the service finds only what has the very capital letters that are asked for. */
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
 * Plans a view: filters and order go to the service as far as `proofs` carry them; the same filter and
 * order work on the loaded rows where they do not. `within` always holds, such as "of this customer".
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
  // Of several conditions at once each goes as far as it can.
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
