'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useRef } from 'react'
import { cacheChoice, viewsKey } from '@/lib/client/list-queries'
import { withMerchantParam } from '@/lib/client/page-context'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { type NamedView, pageOfList } from '@/lib/domain/lists/list-preferences'
import type { ListDefinition } from './list-definition'
import { parseView, type TableView, formatView } from './table-view'

/** A change, or a function of the newest view, which the rendered page may lag behind. */
type ViewChange = Partial<TableView> | ((current: TableView) => Partial<TableView>)

export type ChangeView = (change: ViewChange, history?: 'push' | 'replace') => TableView

/** What a history entry says of itself: whether Back closes the panel that it opened, and the query that was written last. */
type EntryState = { opensPanel?: boolean; query?: string } | null

const readEntry = () => history.state as EntryState
const opensPanel = () => readEntry()?.opensPanel === true

/**
 * The query of the newest view. `location` may name an earlier one: Next.js writes each address once more as it renders
 * it, and keeps what the entry says.
 */
export function readNewestQuery(): URLSearchParams {
  return new URLSearchParams(readEntry()?.query ?? location.search)
}

/**
 * The view of a table. The URL is its only store: `change` writes it and returns the new view. `close` closes the
 * panel; it leaves no history entry that shows the same list again. `addressOf` is a view's path and query.
 */
export function useTableView<List extends ListId>(
  definition: ListDefinition<List>,
): { view: TableView; change: ChangeView; close: () => void; addressOf: (view: TableView) => string } {
  const pathname = usePathname()
  const client = useQueryClient()
  const query = useSearchParams()
  const view = useMemo(() => parseView(definition, query), [definition, query])
  // An address without a view opens the reader's default one: where there is one, the view without filters has a name.
  const addressOf = (of: TableView) => {
    const page = pageOfList(definition.listId)
    const views = client.getQueryData<readonly NamedView[]>(viewsKey(page)) ?? []
    const hasDefault = pathname === `/${page}` && views.some(({ isDefault }) => isDefault)
    return pathname + (formatView(definition, of) || (hasDefault ? '?view=all' : ''))
  }
  // The address of the entry that has opened the panel: Next.js drops what the entry says when it reads the page again.
  const opened = useRef<string | null>(null)
  const hasOpened = () => opensPanel() || opened.current === location.href
  const noteEntry = () => void (opened.current = opensPanel() ? location.href : null)
  useEffect(() => {
    if (hasOpened() && !opensPanel()) history.replaceState({ opensPanel: true }, '')
    noteEntry()
    addEventListener('popstate', noteEntry)
    return () => removeEventListener('popstate', noteEntry)
  })
  const change: ChangeView = (part, kind = 'push') => {
    const current = parseView(definition, readNewestQuery())
    const next = { ...current, ...(typeof part === 'function' ? part(current) : part) }
    // What else changed while the panel was open must not be taken back with it.
    const [before, after] = [current, next].map((one) => formatView(definition, { ...one, openRowId: null }))
    const isSame = before === after
    // Next.js follows both without a request ("Native History API" in its documentation).
    const address = withMerchantParam(addressOf(next))
    const { search } = new URL(address, location.href)
    if (kind === 'replace' || (isSame && next.openRowId === current.openRowId))
      history.replaceState({ opensPanel: hasOpened() && isSame, query: search }, '', address)
    else {
      const isOpening = current.openRowId === null && next.openRowId !== null
      history.pushState({ opensPanel: isOpening, query: search }, '', address)
    }
    noteEntry()
    return next
  }
  // Until the browser has gone back, a second press would go back twice.
  const closedView = useRef<TableView | null>(null)
  function close(): void {
    if (!hasOpened()) change({ openRowId: null }, 'replace')
    else if (closedView.current !== view) {
      closedView.current = view
      history.back()
    }
  }
  return { view, change, close, addressOf }
}

/** The shown view compared with the saved views. */
export type ShownView = {
  /** The query that saving would store, including the current columns. */
  query: string
  /** Whether a saved view is what the list shows. The reader's own columns don't matter to a view without columns. */
  isShown: (saved: string) => boolean
  /** Updates the cached saved views. */
  setViews: (views: readonly NamedView[]) => void
  /** The name of the first saved view that matches. */
  name: string | undefined
}

/**
 * The saved view that a list shows; the server's page provides those the reader may open. `layout`: the rendered
 * columns.
 */
export function useShownView<List extends ListId>(
  definition: ListDefinition<List>,
  view: TableView,
  layout: string | null,
): ShownView {
  const client = useQueryClient()
  const queryKey = viewsKey(pageOfList(definition.listId))
  const { data: views } = useQuery<readonly NamedView[]>({ queryKey, queryFn: skipToken, staleTime: 'static' })
  const write = (of: TableView) => formatView(definition, { ...of, openRowId: null }).slice(1)
  const query = write({ ...view, columns: layout })
  const queryWithoutLayout = write(view)
  const isShown = (saved: string) => {
    // One address may be written in several ways: with a comma or with %2C.
    const written = write(parseView(definition, new URLSearchParams(saved)))
    return written === query || written === queryWithoutLayout
  }
  return {
    query,
    isShown,
    setViews: (next) => cacheChoice(client, queryKey, next),
    name: views?.find((one) => isShown(one.query))?.name,
  }
}
