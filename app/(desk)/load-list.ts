import { dehydrate, QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { after } from 'next/server'
import type { ListDefinition } from '@/components/data-table/list-definition'
import { planQuery } from '@/components/data-table/plan-query'
import { readView } from '@/components/data-table/table-view'
import { columnsKey, listKey, type ListPages, type LoadedList, viewsKey } from '@/lib/browser/list-query'
import { type ListId, usedAbilities } from '@/lib/contract/ability'
import type { Filter } from '@/lib/contract/filter'
import type { ListRow } from '@/lib/contract/list-page'
import { pageOfList, type ViewPage } from '@/lib/contract/saved-view'
import { proveAbilities, readProofs } from '@/lib/server/capabilities'
import { readFirstPage } from '@/lib/server/first-page'
import type { Session } from '@/lib/server/session'
import { readOwnList } from '@/lib/server/views/read-own-list'

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
): Promise<LoadedList> {
  const given = await searchParams
  const pageId = pageOfList(list)
  const [proofs, own] = await Promise.all([readProofs(session, list), within ? null : readOwnList(session, pageId)])
  if (own?.opens) openDefaultView(own.opens, pageId, given)
  const view = readView({ filters, columns }, { get: (name) => [given[name]].flat()[0] ?? null })
  const { ask } = planQuery(filters, view, proofs, within)
  const result = await readFirstPage(session, list, ask)
  if (usedAbilities[list].some((ability) => !(ability in proofs))) {
    after(() => proveAbilities(session, list).catch(() => undefined))
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
