'use client'

import { useEffect, useState } from 'react'
import { isTraversal } from '@/lib/browser/traversal'
import type { ListId } from '@/lib/contract/ability'
import type { NamedView } from '@/lib/contract/saved-view'
import type { TableDefinition } from './define-table'
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

/** Which saved view a list shows; `known` are those that the server named, `layout` the columns that are drawn. */
export function useShownView<List extends ListId>(
  table: TableDefinition<List>,
  view: TableView,
  layout: string | null,
  known: readonly NamedView[] | undefined,
): ShownView {
  // Back leads to what the server said then: what was saved or renamed here since is newer.
  const [views, setViews] = useState(() => (known && isTraversal() && table.memory.recallViews()) || known)
  useEffect(() => {
    if (known && !isTraversal()) table.memory.keepViews(known)
  }, [table, known])
  const query = writeView(table, { ...view, columns: layout, open: null }).slice(1)
  const asked = writeView(table, { ...view, open: null }).slice(1)
  const isShown = (saved: string) => saved === query || saved === asked
  return {
    query,
    isShown,
    take: (next) => {
      table.memory.keepViews(next)
      setViews(next)
    },
    name: views?.find((one) => isShown(one.query))?.name,
  }
}
