import type { DehydratedState, InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListId, Proofs } from '@/lib/contract/ability'
import type { Page } from '@/lib/contract/page'
import type { ToldFailure } from '@/lib/contract/problem'
import type { ViewPage } from '@/lib/contract/saved-view'

/** Filter and order as they are written for the service. */
export type ListAsk = { filter?: string; orderby?: string }

/** Pages of a list; each came for the offset that stands at its place in `pageParams`, the first for null. */
export type ListPages<Row> = InfiniteData<Page<Row>, string | null>

/** What the server read of a list for its page (app/(desk)/load-list.ts). */
export type LoadedList = {
  /** Names this reading of the page: with another one the list is read anew. */
  visit: string
  /** What the server asked of the service: `ask` of the view's plan, as JSON. */
  ask: string
  proofs: Proofs
  /** The first page of the list, the reader's own columns and views, for the browser's cache. */
  state: DehydratedState
  /** Why there is no first page; null where there is one, or the browser is to ask. */
  failure: ToldFailure | null
}

/**
 * The key of a list's query. `visit` names the reading of its page by the server: whoever comes back to that finds the rows
 * as they were, a fresh visit reads anew.
 */
export function listKey(list: ListId, ask: ListAsk, visit: string) {
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

function replaceRows<Row>(
  data: ListPages<Row>,
  idOf: (row: Row) => string | null,
  rows: readonly Row[],
): ListPages<Row> {
  const fresh = new Map(rows.flatMap((row) => (idOf(row) === null ? [] : [[idOf(row), row] as const])))
  const pages = data.pages.map((page) => {
    if (!page.results.some((row) => fresh.has(idOf(row)))) return page
    return { ...page, results: page.results.map((row) => fresh.get(idOf(row)) ?? row) }
  })
  return { ...data, pages }
}

const readId = (row: { id: string | null }) => row.id

/** Puts rows that were read elsewhere in the place of those with the same ids, in every reading of the list that is kept. */
export function patchRows(client: QueryClient, list: ListId, rows: readonly { id: string | null }[]): void {
  client.setQueriesData<ListPages<{ id: string | null }>>(
    { queryKey: ['list', list] },
    (data) => data && replaceRows(data, readId, rows),
  )
}
