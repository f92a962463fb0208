import type { Message } from '@/lib/language/runtime'
import {
  type ColumnDef,
  columnOrderingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { FieldOf } from '@/lib/api-contract/filter'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import type { TableFilter } from '@/lib/domain/lists/filter-values'

export type ColumnMeta = {
  /** A CSS grid track, such as `minmax(10rem, 1fr)`. */
  width: string
  /** The breakpoint from which it is shown (data-table.css); `chosen`: only when the reader adds it. */
  from?: 'wide' | 'wider' | 'widest' | 'chosen'
  align?: 'end'
  /** Its slot on a phone's card: three lines, each with a left and a right half; `none` hides it there. */
  cardSlot?: 'title' | 'title-end' | 'body' | 'body-end' | 'footer' | 'footer-end'
}

/** Table's features in a list. It has the rows of the window only, and sorts none: the service does, or ClientSideRows. */
export const listFeatures = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})

/**
 * A column definition of TanStack Table. Its header is a message, its name; with `enableSorting` the header sorts by the
 * field of the contract that the column's id names.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as Table's own `columns` option has it: values differ by column
export type ListColumn<Row extends object> = ColumnDef<typeof listFeatures, Row, any>

/** Table's column helper for a list. A new column also needs its export (lib/domain/lists/export-columns.ts). */
export function listColumns<Row extends object>() {
  return createColumnHelper<typeof listFeatures, Row>()
}

/** Everything that a resource's list page needs, except its address. */
export type ListDefinition<List extends ListId> = {
  /** The list endpoint. */
  listId: List
  /** The page's heading and the grid's accessible name. */
  name: Message
  /** A row's name in labels, such as "Select PMT-0001". */
  rowLabel: (row: ListRow<List>) => string
  /** The path of a row's page; null if it has none. */
  address?: (row: ListRow<List>) => string | null
  /** The raw status, for `data-status`. */
  status?: (row: ListRow<List>) => string | null
  /** Declare at module scope: TanStack Table needs a stable reference. */
  columns: readonly ListColumn<ListRow<List>>[]
  filters: readonly TableFilter<FieldOf<List>>[]
  empty: { title: Message; advice: Message }
}

export function defineList<List extends ListId>(definition: ListDefinition<List>): ListDefinition<List> {
  return definition
}
