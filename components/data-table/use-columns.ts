'use client'

import { useMemo, useState } from 'react'
import type { ListId } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import { arrangeColumns } from './arrange-columns'
import type { Column, TableDefinition } from './define-table'
import type { TableView } from './table-view'
import type { ChangeView } from './use-table-view'

/** The columns of a list, where they come from, and how they are changed. */
export type ColumnChoice = {
  /** As an address writes them; null for those that the table comes with. */
  layout: string | null
  /** Whether they are those of the address, such as a saved view's, and not the reader's own. */
  isOfView: boolean
  change: (layout: string | null) => void
  /** Gives up those of the address. */
  takeOwn: () => void
}

/** What was written into the address and is not read from it yet: who ticks quickly changes the newest, not the last drawn. */
type Ahead = { written: readonly string[]; layout: string }

/** The columns to draw: those that the address asks for, else the reader's own as the server knew them. */
export function useColumns<List extends ListId>(
  table: TableDefinition<List>,
  { columns: inAddress }: TableView,
  known: string | null,
  changeView: ChangeView,
): ColumnChoice & { columns: readonly Column<ListRow<List>>[] } {
  const [own, setOwn] = useState(() => table.memory.recallColumns(known))
  const [ahead, setAhead] = useState<Ahead | null>(null)
  if (ahead && inAddress === ahead.layout) setAhead(null)
  const asked = ahead && inAddress !== null && ahead.written.includes(inAddress) ? ahead.layout : inAddress
  const layout = asked ?? own
  const columns = useMemo(() => arrangeColumns(table.columns, layout), [table, layout])
  return {
    columns,
    layout,
    isOfView: asked !== null,
    change: (next) => {
      if (asked !== null && next !== null) {
        setAhead({ written: [...(ahead?.written ?? []), asked, next], layout: next })
        return changeView({ columns: next }, 'replace')
      }
      table.memory.keepColumns(next)
      setOwn(next)
    },
    takeOwn: () => changeView({ columns: null }, 'replace'),
  }
}
