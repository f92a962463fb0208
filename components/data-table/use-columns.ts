'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { columnsKey, cacheChoice } from '@/lib/client/list-queries'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { pageOfList } from '@/lib/domain/lists/list-preferences'
import { arrangeColumns, type ShownColumn } from './column-layout'
import type { ListDefinition } from './list-definition'
import type { TableView } from './table-view'
import type { ChangeView } from './use-table-view'

/** The columns of a list and how they are changed. */
export type ColumnChoice = {
  columns: readonly ShownColumn[]
  /** The layout as the URL writes it; null for the declared columns. */
  layout: string | null
  /** Whether they come from the URL, such as a saved view's, rather than from the reader's own settings. */
  isOfView: boolean
  change: (layout: string | null) => void
  /** Drops the layout in the URL in favour of the reader's own. */
  takeOwn: () => void
}

/**
 * Layouts written to the URL but not read back yet: quick successive changes build on the newest, not on the last
 * rendered.
 */
type Ahead = { written: readonly string[]; layout: string }

/** The columns to render: those of the URL, else the reader's own, which the server's page provides. */
export function useColumns<List extends ListId>(
  { list, columns: declared }: ListDefinition<List>,
  { columns: inAddress }: TableView,
  changeView: ChangeView,
  isPart: boolean,
): ColumnChoice {
  const client = useQueryClient()
  const queryKey = columnsKey(pageOfList(list))
  const { data } = useQuery<string | null>({ queryKey, queryFn: skipToken, staleTime: 'static' })
  const own = isPart ? null : (data ?? null)
  const [ahead, setAhead] = useState<Ahead | null>(null)
  if (ahead && inAddress === ahead.layout) setAhead(null)
  const asked = ahead && inAddress !== null && ahead.written.includes(inAddress) ? ahead.layout : inAddress
  const layout = asked ?? own
  const columns = useMemo(() => arrangeColumns(declared, layout), [declared, layout])
  return {
    columns,
    layout,
    isOfView: asked !== null,
    change: (next) => {
      if (asked === null || next === null) {
        cacheChoice(client, queryKey, next)
        return
      }
      setAhead({ written: [...(ahead?.written ?? []), asked, next], layout: next })
      changeView({ columns: next }, 'replace')
    },
    takeOwn: () => changeView({ columns: null }, 'replace'),
  }
}
