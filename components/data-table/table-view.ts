import type { Order } from '@/lib/contract/filter'
import { columnId } from './column-layout'
import type { TableFilter } from './list-definition'

/** What the URL says of a table: the view that a link to it shows. */
export type TableView = {
  /** Values of filters by their id; those that are not set are missing. */
  values: Readonly<Record<string, string>>
  order: Order | null
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

function readOrder({ columns }: Schema, given: string | null): Order | null {
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
