import {
  type ColumnDef,
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'

export type ColumnMeta = {
  /** A CSS grid track, such as `minmax(10rem, 1fr)`. */
  width: string
  /** Shown only where the list is so wide (data-table.css); `chosen`: only to who asks for it. */
  from?: 'wide' | 'wider' | 'widest' | 'chosen'
  align?: 'end'
  /** Where a phone's card shows it: three lines, each with a left and a right half; `none` hides it there. */
  card: 'title' | 'title-end' | 'line' | 'line-end' | 'foot' | 'foot-end' | 'none'
}

/** What tables of lists can do. The service sorts, or the list's rules do: Table only says by which column. */
export const listFeatures = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})

/**
 * A column as Table defines it. Its header is its name; `enableSorting` makes the header a button that sorts by the field
 * of the contract that the column's id names.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as Table's own `columns` option has it: values differ by column
export type ListColumn<Row extends object> = ColumnDef<typeof listFeatures, Row, any>

/** Table's column helper for the rows of a list. */
export function listColumns<Row extends object>() {
  return createColumnHelper<typeof listFeatures, Row>()
}

/** A field for free text; a row matches when one of the fields contains it. Its id is its name in the URL. */
type TextFilter = { kind: 'text'; id: string; label: string; placeholder: string; fields: readonly string[] }

/** A choice of one value. `is` is what the field must equal where that is not the value itself. */
type ChoiceFilter = {
  kind: 'choice'
  id: string
  label: string
  field: string
  options: readonly { value: string; label: string; is?: boolean }[]
  /** Whether values that the service uses but nobody foresaw are choices too. */
  isOpen?: boolean
}

export type TableFilter = TextFilter | ChoiceFilter

/** A list: everything a resource's page is, beside its address. */
export type ListDefinition<List extends ListId> = {
  /** The list endpoint. */
  list: List
  /** Heading of the page and name of the grid. */
  name: string
  /** What a row is called in sentences, such as "Select PMT-0001". */
  rowLabel: (row: ListRow<List>) => string
  /** The page of a row, where opening a row leads to; null where it has none. */
  address?: (row: ListRow<List>) => string | null
  /** The state as it came, for `data-status`. */
  status?: (row: ListRow<List>) => string | null
  /** At module scope: Table wants the same ones at each render. */
  columns: readonly ListColumn<ListRow<List>>[]
  filters: readonly TableFilter[]
  /** What an empty list says. */
  empty: { title: string; advice: string }
}

export function defineList<List extends ListId>(definition: ListDefinition<List>): ListDefinition<List> {
  return definition
}
