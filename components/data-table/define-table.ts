import type { ReactNode } from 'react'
import { ListMemory } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import type { ShownTime } from '@/lib/format/date'
import type { CellFacts } from './cell-facts'

export type Column<Row> = {
  id: string
  header: string
  /** A CSS grid track, such as `minmax(10rem, 1fr)`. */
  width: string
  /**
   * Shown only where the list is so wide (data-table.css): it stands in the row's panel or page too. `chosen`: only to
   * who asks for it; `card`: only on a phone's card, because the reader wants no column of it.
   */
  from?: 'wide' | 'wider' | 'widest' | 'chosen' | 'card'
  align?: 'end'
  /** The contract's name of the field by which the header sorts; without it the header is plain. */
  sort?: string
  /** Where a phone's card shows it: three lines, each with a left and a right half; `none` hides it there. */
  card: 'title' | 'title-end' | 'line' | 'line-end' | 'foot' | 'foot-end' | 'none'
} & (
  | /** Elements and text alone, without components (`drawRow`). */ {
      cell: (row: Row, facts: CellFacts) => ReactNode
      time?: never
    }
  /** The cell is a date, which the grid's keys reach; its title, in full, is told under the pointer and the focus. */
  | { time: (row: Row, facts: CellFacts) => ShownTime | null; cell?: never }
)

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

type Declaration<List extends ListId> = {
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
  columns: readonly Column<ListRow<List>>[]
  /** What a row's own button does (the one with `data-act`), and what makes ready for it as soon as it may be pressed. */
  act?: { prepare: () => void; run: (row: ListRow<List>, opener: HTMLElement) => void }
  filters: readonly TableFilter[]
  /** The field that tells new rows from old, for "3 new" above a list sorted by it. */
  createdField?: string
  /** What an empty list says. */
  empty: { title: string; advice: string }
}

export type TableDefinition<List extends ListId> = Declaration<List> & {
  /** Lists of this table that were left, for Back. Only ever filled in the browser. */
  memory: ListMemory<ListRow<List>>
}

/** Declares a table: everything a resource's page is, beside its address. */
export function defineTable<List extends ListId>(declaration: Declaration<List>): TableDefinition<List> {
  return { ...declaration, memory: new ListMemory() }
}
