'use client'

import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { columnsKey, cacheChoice } from '@/lib/client/list-queries'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { pageOfList } from '@/lib/domain/lists/list-preferences'
import { chooseProblemDisplay, toProblemInfo } from '../feedback/problem-display'
import { showErrorToast } from '../feedback/toast-store'
import { arrangeColumns, type ShownColumn } from './column-layout'
import type { ListDefinition } from './list-definition'
import { parseView, type TableView } from './table-view'
import { type ChangeView, readNewestQuery } from './use-table-view'
import * as m from '@/lib/messages/m'

/** The columns of a list and how they are changed. */
export type ColumnChoice = {
  columns: readonly ShownColumn[]
  /** The layout as the URL writes it; null for the declared columns. */
  layout: string | null
  /** Whether they come from the URL, such as a saved view's, rather than from the reader's own settings. */
  isFromView: boolean
  /** Shows a layout, and stores it unless it is a view's; null drops a view's, or the reader's own. */
  change: (layout: string | null) => void
  /** The newest columns: after a change `columns` are the old ones until the next render. */
  readNewest: () => readonly ShownColumn[]
}

/** The columns to render: those of the URL, else the reader's own, which the server's page provides. */
export function useColumns<List extends ListId>(
  definition: ListDefinition<List>,
  { columns: urlLayout }: TableView,
  changeView: ChangeView,
  isEmbedded: boolean,
): ColumnChoice {
  const { listId, columns: declared } = definition
  const client = useQueryClient()
  const queryKey = columnsKey(pageOfList(listId))
  const { data } = useQuery<string | null>({ queryKey, queryFn: skipToken, staleTime: 'static' })
  const own = isEmbedded ? null : (data ?? null)
  const save = useMutation({
    mutationFn: (columns: string | null) =>
      callDesk('/columns', { method: 'PUT', body: { list: pageOfList(listId), columns } }),
    // One after the other, so that the last choice is the one that is stored.
    scope: { id: `columns of ${listId}` },
    onError: (error) => showErrorToast(m.lists_columnsNotKept(), chooseProblemDisplay(toProblemInfo(error)).title),
  })
  const layout = urlLayout ?? own
  const columns = useMemo(() => arrangeColumns(declared, layout), [declared, layout])
  const readUrlLayout = () => parseView(definition, readNewestQuery()).columns
  return {
    columns,
    layout,
    isFromView: urlLayout !== null,
    change: (next) => {
      if (readUrlLayout() === null) {
        cacheChoice(client, queryKey, next)
        save.mutate(next)
      } else changeView({ columns: next }, 'replace')
    },
    readNewest: () => arrangeColumns(declared, readUrlLayout() ?? client.getQueryData(queryKey) ?? null),
  }
}
