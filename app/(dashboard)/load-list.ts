import { dehydrate, QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { after } from 'next/server'
import type { ListDefinition } from '@/components/data-table/list-definition'
import { planQuery, readView } from '@/components/data-table/table-view'
import { columnsKey, listKey, type ListPages, type InitialList, viewsKey } from '@/lib/client/list-queries'
import { type ListId, usedCapabilities } from '@/lib/domain/lists/capabilities'
import type { Filter } from '@/lib/api-contract/filter'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { pageOfList, type ViewPage } from '@/lib/domain/lists/list-preferences'
import { probeCapabilities, readCapabilities } from '@/lib/server/upstream/capabilities'
import { readFirstPage } from '@/lib/server/upstream/page-data'
import type { Session } from '@/lib/server/auth/session'
import { readOwnList } from '@/lib/server/saved-views/list-preferences'

/** The query of a page. */
type Query = Record<string, string | string[] | undefined>

/** The query of a page as Next hands it over. */
export type SearchParams = Promise<Query>

/** Opens a list that is asked for without anything with the view that its reader has chosen for that, by its query. */
function openDefaultView(chosen: string, page: ViewPage, query: Query): void {
  const { merchant, ...given } = query
  if (Object.keys(given).length > 0) return
  const named = typeof merchant === 'string' ? `&${new URLSearchParams({ merchant }).toString()}` : ''
  redirect(`/${page}?${chosen}${named}`)
}

/**
 * What a list's page hands its table: what the list was proven to do, the reader's own columns and views, and the first
 * page of the view in the URL, of the rows `within` alone if that is given. Nothing is proven while the reader waits: what is not
 * known yet is tried after the page was sent. Where the URL names no view, the one that the reader has chosen for that
 * is opened instead.
 */
export async function loadList<List extends ListId>(
  session: Session,
  { list, filters, columns }: Pick<ListDefinition<List>, 'list' | 'filters' | 'columns'>,
  searchParams: SearchParams,
  within?: Filter,
): Promise<InitialList> {
  const given = await searchParams
  const pageId = pageOfList(list)
  const [proofs, own] = await Promise.all([
    readCapabilities(session, list),
    within ? null : readOwnList(session, pageId),
  ])
  if (own?.opens) openDefaultView(own.opens, pageId, given)
  const view = readView({ filters, columns }, { get: (name) => [given[name]].flat()[0] ?? null })
  const { ask } = planQuery(filters, view, proofs, within)
  const result = await readFirstPage(session, list, ask)
  if (usedCapabilities[list].some((ability) => !(ability in proofs))) {
    after(() => probeCapabilities(session, list).catch(() => undefined))
  }
  const visit = randomUUID()
  const client = new QueryClient()
  if (result && 'page' in result) {
    const pages: ListPages<ListRow<List>> = { pages: [result.page], pageParams: [null] }
    client.setQueryData(listKey(list, ask, visit), pages)
  }
  if (own) {
    client.setQueryData(columnsKey(pageId), own.columns)
    client.setQueryData(viewsKey(pageId), own.views)
  }
  const failure = result && 'failure' in result ? result.failure : null
  return { visit, ask: JSON.stringify(ask), proofs, state: dehydrate(client), failure }
}
