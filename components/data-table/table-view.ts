import { isStaleKey } from '@/lib/client/row-index'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { FilterValues, TableFilter } from '@/lib/domain/lists/filter-values'
import { columnId, type DeclaredColumn, idOfPart } from './column-layout'

/** The view of a table that its URL encodes. */
export type TableView = {
  /** Filter values by filter id; unset ones are absent. */
  values: FilterValues
  sorting: SortOrder | null
  /** The column layout in the URL, as `arrangeColumns` reads it; null for the reader's own. */
  columns: string | null
  openRowId: string | null
}

type Schema = { filters: readonly TableFilter[]; columns: readonly DeclaredColumn[] }
type Query = { get: (name: string) => string | null }

/** What is no value of its filter stays: somebody who mistyped an address must not act on the whole list. */
function parseValues(filters: readonly TableFilter[], query: Query): FilterValues {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = query.get(filter.id)
      return value && value.trim() !== '' ? [[filter.id, value] as const] : []
    }),
  )
}

function parseSorting({ columns }: Schema, given: string | null): SortOrder | null {
  const field = given?.replace(/^-/u, '')
  if (!field || !columns.some((column) => column.enableSorting && columnId(column) === field)) return null
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
