import { after } from 'next/server'
import type { FirstRows, HandedPage } from '@/components/data-table/first-rows'
import type { TableFilter } from '@/components/data-table/define-table'
import { planQuery } from '@/components/data-table/plan-query'
import { readView } from '@/components/data-table/table-view'
import type { Filter } from '@/lib/contract/filter'
import { type ListId, type Proofs, usedAbilities } from '@/lib/contract/ability'
import { proveAbilities, readProofs } from '@/lib/server/capabilities'
import { type FirstPage, readFirstPage, readNextPage } from '@/lib/server/first-page'
import { type NamedView, pageOfList } from '@/lib/contract/saved-view'
import type { Session } from '@/lib/server/session'
import { readOwnList } from '@/lib/server/views/read-own-list'
import { openDefaultView, type Query } from './open-default-view'

/** The query of a page as Next hands it over. */
export type SearchParams = Promise<Query>

type Table<List extends ListId> = {
  list: List
  filters: readonly TableFilter[]
  columns: readonly { id: string; sort?: string }[]
}

function handPage(read: FirstPage<ListId>): HandedPage {
  return read && 'page' in read ? { page: JSON.stringify(read.page) } : read
}

/**
 * What a list page hands its table: what the list was proven to do, the reader's own columns and views, and the first
 * page of the view in the URL, of the rows `within` alone if that is given. Nothing is proven while the reader waits: what is not
 * known yet is tried after the page was sent. Where the URL names no view, the one that the reader has chosen for that
 * is opened instead. The second page of a plain list is not waited for: it follows the HTML of the first.
 */
export async function loadTable<List extends ListId>(
  session: Session,
  table: Table<List>,
  searchParams: SearchParams,
  within?: Filter,
): Promise<{ proofs: Proofs; first: FirstRows; own: string | null; views: NamedView[] | undefined }> {
  const given = await searchParams
  const pageId = pageOfList(table.list)
  const [proofs, own] = await Promise.all([
    readProofs(session, table.list),
    within ? null : readOwnList(session, pageId),
  ])
  if (own?.opens) openDefaultView(own.opens, pageId, given)
  const view = readView(table, { get: (name) => [given[name]].flat()[0] ?? null })
  const { ask, rest } = planQuery(table.filters, view, proofs, within)
  const result = await readFirstPage(session, table.list, ask)
  if (usedAbilities[table.list].some((ability) => !(ability in proofs))) {
    after(() => proveAbilities(session, table.list).catch(() => undefined))
  }
  const isPlain = !ask.filter && !ask.orderby && !rest.filter && !rest.order
  const page = isPlain && result && 'page' in result ? result.page : null
  // A service that sends more than it is asked for has sent enough.
  const next =
    page?.continuation.kind === 'more' && page.results.length <= 100
      ? readNextPage(session, table.list, page.continuation.after).then(handPage)
      : null
  const first = { ask: JSON.stringify(ask), result: handPage(result), next }
  return { proofs, first, own: own?.columns ?? null, views: own?.views }
}
