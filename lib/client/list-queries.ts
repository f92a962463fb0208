import { createEmitter } from './emitter'
import type { DehydratedState, InfiniteData, QueryClient } from '@tanstack/react-query'
import { getField } from '@/lib/domain/lists/row-matching'
import type { ListId, CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { Page } from '@/lib/api-contract/pagination'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import type { ViewPage } from '@/lib/domain/lists/list-preferences'

/** Filter and sorting as query parameters of the API. */
export type ListRequest = { filter?: string; orderby?: string }

/** Pages of a list with the offsets they were requested with; null for the first. */
export type ListPages<Row> = InfiniteData<Page<Row>, string | null>

/** The list data that the server rendered the page with (app/(dashboard)/load-list.ts). */
export type InitialList = {
  /** Identifies this page load: another one reads the list again. */
  loadId: string
  /** The request that the server sent: the plan's `request` as JSON. */
  requestKey: string
  proofs: CapabilityProofs
  /** The first page, the reader's own columns and the saved views, for the browser's cache. */
  state: DehydratedState
  /** Why there is no first page; null if there is one, or if the browser is to read it. */
  failure: SerializedFailure | null
}

/**
 * The query key of a list. `loadId` identifies the page load: going back to it finds its rows unchanged, a new one
 * reads again.
 */
export function listKey(list: ListId, request: ListRequest, loadId: string) {
  return ['list', list, loadId, request] as const
}

/**
 * When the server read a list's first page (`updatedAt`): before everything in the browser, whose clock may be behind.
 * Else going back to the list would put the first page in place of what was loaded and changed since.
 */
export const SERVER_READ_AT = 1

/** Told when somebody refreshes a list: what is beside it is read again too. */
export const listRefreshes = createEmitter()

/** The query key of the activity log; `query` without offset and page size. */
export function activityKey(query: string, loadId: string) {
  return ['activity', loadId, query] as const
}

/** The query key of a page's saved views (`NamedView`). */
export function viewsKey(page: ViewPage) {
  return ['views', page] as const
}

/** The query key of the reader's own column layout; null for the declared columns. */
export function columnsKey(page: ViewPage) {
  return ['columns', page] as const
}

/**
 * Caches the reader's choice under `viewsKey` or `columnsKey`. Between the server's and the reader's value the later
 * one wins, and the server's clock may be ahead: the choice is dated after the value it replaces.
 */
export function cacheChoice(client: QueryClient, queryKey: readonly unknown[], choice: unknown): void {
  const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  client.setQueryData(queryKey, choice, { updatedAt: Math.max(Date.now(), updatedAt + 1) })
}

/**
 * Updates the pages of every cached query under a key. `update` may run twice and must return the same data when
 * nothing is left to change: a page in flight was requested with the old pages and restores them.
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
    const unsubscribe = cache.subscribe((event) => {
      if (event.query !== query) return
      if (event.type === 'removed') return unsubscribe()
      if (event.type !== 'updated' || query.state.fetchStatus !== 'idle') return
      unsubscribe()
      change()
    })
  }
}

type Identified = { id: string | null }

/** Replaces rows of the same ids in every cached query of the list. */
export function patchRows(client: QueryClient, list: ListId, rows: readonly Identified[]): void {
  const updated = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  const isOutdated = (row: Identified) => row.id !== null && updated.has(row.id) && updated.get(row.id) !== row
  changePages<Identified>(client, ['list', list], (data) => {
    if (!data.pages.some(({ results }) => results.some(isOutdated))) return data
    const pages = data.pages.map((page) => {
      if (!page.results.some(isOutdated)) return page
      return { ...page, results: page.results.map((row) => (row.id === null ? row : (updated.get(row.id) ?? row))) }
    })
    return { ...data, pages }
  })
}

/** Rows of a list searched for values. A rarer one can be given through the URL. */
const MAX_ROWS_SEARCHED = 500

/** The texts of a field in the first rows of every cached list of this page load, or of those before it; of one list if named. */
export function findCachedValues(client: QueryClient, field: string, list?: ListId): string[] {
  const lists = client.getQueriesData<ListPages<unknown>>({ queryKey: list ? ['list', list] : ['list'] })
  const values = lists.flatMap(([, data]) => {
    const rows: unknown[] = []
    for (const { results } of data?.pages ?? []) if (rows.length < MAX_ROWS_SEARCHED) rows.push(...results)
    return rows.map((row) => getField(row, field))
  })
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== '').map(String))].toSorted()
}
