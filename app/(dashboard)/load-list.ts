import { dehydrate, QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { after } from 'next/server'
import type { ListDefinition } from '@/components/data-table/list-definition'
import { filterContext } from '@/lib/domain/lists/filter-values'
import { parseView } from '@/components/data-table/table-view'
import { planQuery } from '@/lib/domain/lists/list-plan'
import {
  columnsKey,
  listKey,
  type ListPages,
  type InitialList,
  SERVER_READ_AT,
  viewsKey,
} from '@/lib/client/list-queries'
import { type ListId, usedCapabilities } from '@/lib/domain/lists/capabilities'
import type { Filter } from '@/lib/api-contract/filter'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { pageOfList, type ViewPage } from '@/lib/domain/lists/list-preferences'
import { probeCapabilities, readCapabilities } from '@/lib/server/upstream/capabilities'
import { getConnection } from '@/lib/server/upstream/connection'
import { getSettings } from '@/lib/server/runtime/settings'
import { readFirstPage } from '@/lib/server/upstream/page-data'
import type { Session } from '@/lib/server/auth/session'
import { readListPreferences } from '@/lib/server/saved-views/list-preferences'

type Query = Record<string, string | string[] | undefined>

/** A page's query as Next.js passes it. */
export type SearchParams = Promise<Query>

/** Redirects a list URL without a query to the user's default view. */
function openDefaultView(chosen: string, page: ViewPage, query: Query): void {
  const { merchant, ...given } = query
  if (Object.keys(given).length > 0) return
  const named = typeof merchant === 'string' ? `&${new URLSearchParams({ merchant }).toString()}` : ''
  redirect(`/${page}?${chosen}${named}`)
}

/**
 * Loads the initial data of a list page: known capabilities, the user's own columns and views, and the first page of
 * the view in the URL, restricted to `baseFilter` if given. Capabilities are never probed while the user waits: unknown
 * ones are probed after the response. A URL without a view opens the user's default one.
 */
export async function loadList<List extends ListId>(
  session: Session,
  { listId, filters, columns }: Pick<ListDefinition<List>, 'listId' | 'filters' | 'columns'>,
  searchParams: SearchParams,
  baseFilter?: Filter,
): Promise<InitialList> {
  const given = await searchParams
  const pageId = pageOfList(listId)
  const [proofs, own] = await Promise.all([
    readCapabilities(session, listId),
    baseFilter ? null : readListPreferences(session, pageId),
  ])
  if (own?.opens) openDefaultView(own.opens, pageId, given)
  const { amounts } = getConnection(session.scope.connectionId).rules
  const view = parseView({ filters, columns }, { get: (name) => [given[name]].flat()[0] ?? null })
  const context = filterContext({ schemeZone: getSettings().SCHEME_ZONE, amounts })
  const { request, requestedFilter } = planQuery(filters, view, proofs, context, baseFilter)
  const result = await readFirstPage(session, listId, request, requestedFilter)
  if (usedCapabilities[listId].some((ability) => !(ability in proofs))) {
    after(() => probeCapabilities(session, listId).catch(() => undefined))
  }
  const loadId = randomUUID()
  const client = new QueryClient()
  if (result && 'page' in result) {
    const pages: ListPages<ListRow<List>> = { pages: [result.page], pageParams: [null] }
    client.setQueryData(listKey(listId, request, loadId), pages, { updatedAt: SERVER_READ_AT })
  }
  if (own) {
    client.setQueryData(columnsKey(pageId), own.columns)
    client.setQueryData(viewsKey(pageId), own.views)
  }
  const failure = result && 'failure' in result ? result.failure : null
  return { loadId, requestKey: JSON.stringify(request), proofs, state: dehydrate(client), failure }
}
