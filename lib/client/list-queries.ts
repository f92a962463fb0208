import type { DehydratedState, InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListId, CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { Page } from '@/lib/api-contract/pagination'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import type { ViewPage } from '@/lib/domain/lists/list-preferences'

/** Filter and order as they are written for the service. */
export type ListRequest = { filter?: string; orderby?: string }

/** Pages of a list; each came for the offset that stands at its place in `pageParams`, the first for null. */
export type ListPages<Row> = InfiniteData<Page<Row>, string | null>

/** What the server read of a list for its page (app/(dashboard)/load-list.ts). */
export type InitialList = {
  /** Names this reading of the page: with another one the list is read anew. */
  visit: string
  /** What the server asked of the service: `ask` of the view's plan, as JSON. */
  ask: string
  proofs: CapabilityProofs
  /** The first page of the list, the reader's own columns and views, for the browser's cache. */
  state: DehydratedState
  /** Why there is no first page; null where there is one, or the browser is to ask. */
  failure: SerializedFailure | null
}

/**
 * The key of a list's query. `visit` names the reading of its page by the server: whoever comes back to that finds the rows
 * as they were, a fresh visit reads anew.
 */
export function listKey(list: ListId, ask: ListRequest, visit: string) {
  return ['list', list, visit, ask] as const
}

/** The key of the activity log's query; `query` is that of its route, without place and size. */
export function activityKey(query: string, visit: string) {
  return ['activity', visit, query] as const
}

/** The key of the saved views of a list's page, as `NamedView`s. */
export function viewsKey(page: ViewPage) {
  return ['views', page] as const
}

/** The key of the reader's own columns of a list's page, as an address writes them; null for those that it comes with. */
export function columnsKey(page: ViewPage) {
  return ['columns', page] as const
}

/**
 * Keeps what a reader has chosen under `viewsKey` or `columnsKey`. Of the page's and the reader's the later one counts, and
 * a server's clock may be ahead: what is chosen is later than what it was chosen in place of.
 */
export function cacheChoice(client: QueryClient, queryKey: readonly unknown[], choice: unknown): void {
  const known = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  client.setQueryData(queryKey, choice, { updatedAt: Math.max(Date.now(), known + 1) })
}

/**
 * Changes the pages of every kept reading under a key. `update` may be asked twice, and is to answer the same data where
 * there is nothing left to change: a page that is on its way was asked for with the pages as they were, and puts them back.
 */
export function changePages<Row>(
  client: QueryClient,
  queryKey: readonly unknown[],
  update: (data: ListPages<Row>) => ListPages<Row>,
): void {
  const cache = client.getQueryCache()
  for (const query of cache.findAll({ queryKey })) {
    const change = () => client.setQueryData<ListPages<Row>>(query.queryKey, (data) => data && update(data))
    change()
    if (query.state.fetchStatus === 'idle') continue
    const stop = cache.subscribe((event) => {
      if (event.query !== query) return
      if (event.type === 'removed') return stop()
      if (event.type !== 'updated' || query.state.fetchStatus !== 'idle') return
      stop()
      change()
    })
  }
}

type Identified = { id: string | null }

/** Puts rows that were read elsewhere in the place of those with the same ids, in every reading of the list that is kept. */
export function patchRows(client: QueryClient, list: ListId, rows: readonly Identified[]): void {
  const fresh = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  const isOld = (row: Identified) => row.id !== null && fresh.has(row.id) && fresh.get(row.id) !== row
  changePages<Identified>(client, ['list', list], (data) => {
    if (!data.pages.some(({ results }) => results.some(isOld))) return data
    const pages = data.pages.map((page) => {
      if (!page.results.some(isOld)) return page
      return { ...page, results: page.results.map((row) => (row.id === null ? row : (fresh.get(row.id) ?? row))) }
    })
    return { ...data, pages }
  })
}
