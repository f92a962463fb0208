'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import { cacheChoice, viewsKey } from '@/lib/client/list-queries'
import { withMerchantParam } from '@/lib/client/page-context'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { type NamedView, pageOfList } from '@/lib/domain/lists/list-preferences'
import type { ListDefinition } from './list-definition'
import { readView, type TableView, writeView } from './table-view'

/** What changes; a function is given the view as the address has it, which a page that is still drawn may not know. */
type ViewChange = Partial<TableView> | ((current: TableView) => Partial<TableView>)

export type ChangeView = (change: ViewChange, history?: 'push' | 'replace') => TableView

/** The view of a table, whose one home is the URL: read from it, and changed by writing it, which answers the new one. */
export function useTableView<List extends ListId>(definition: ListDefinition<List>): [TableView, ChangeView] {
  const pathname = usePathname()
  const query = useSearchParams()
  const view = useMemo(() => readView(definition, query), [definition, query])
  const change: ChangeView = useCallback(
    (part, kind = 'push') => {
      const current = readView(definition, new URLSearchParams(location.search))
      const next = { ...current, ...(typeof part === 'function' ? part(current) : part) }
      // Next follows both, without a request (its documentation: "Native History API").
      const address = withMerchantParam(pathname + writeView(definition, next))
      if (kind === 'push') history.pushState(null, '', address)
      else history.replaceState(null, '', address)
      return next
    },
    [definition, pathname],
  )
  return [view, change]
}

/** What a list shows, in the terms of saved views. */
export type ShownView = {
  /** As a view keeps it, with the columns as they are. */
  query: string
  /** Whether a saved view is what the list shows: columns that are the reader's own make no difference to one that names none. */
  isShown: (saved: string) => boolean
  /** Takes the views as they are, once they were looked up. */
  take: (views: readonly NamedView[]) => void
  /** Its name; of several that show the same, the first one's. */
  name: string | undefined
}

/** Which saved view a list shows; the server's page brings those that the reader may open. `layout`: the columns that are drawn. */
export function useShownView<List extends ListId>(
  definition: ListDefinition<List>,
  view: TableView,
  layout: string | null,
): ShownView {
  const client = useQueryClient()
  const queryKey = viewsKey(pageOfList(definition.list))
  const { data: views } = useQuery<readonly NamedView[]>({ queryKey, queryFn: skipToken, staleTime: 'static' })
  const query = writeView(definition, { ...view, columns: layout, open: null }).slice(1)
  const asked = writeView(definition, { ...view, open: null }).slice(1)
  const isShown = (saved: string) => saved === query || saved === asked
  return {
    query,
    isShown,
    take: (next) => cacheChoice(client, queryKey, next),
    name: views?.find((one) => isShown(one.query))?.name,
  }
}
