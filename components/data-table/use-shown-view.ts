'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { keepChoice, viewsKey } from '@/lib/browser/list-query'
import type { ListId } from '@/lib/contract/ability'
import { type NamedView, pageOfList } from '@/lib/contract/saved-view'
import type { ListDefinition } from './list-definition'
import { type TableView, writeView } from './table-view'

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
    take: (next) => keepChoice(client, queryKey, next),
    name: views?.find((one) => isShown(one.query))?.name,
  }
}
