import type * as z from 'zod'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Continuation, Page } from '@/lib/api-contract/pagination'
import type { ListId } from './capabilities'

/** A list ends after this many pages in a row without a new row: it might go on without end. */
export const MAX_PAGES_WITHOUT_NEW_ROWS = 20

/** How a list continues after a page. A list whose offsets repeat would never end, so it is incomplete. */
export type NextPage = Continuation | { kind: 'incomplete'; reason: 'offset-repeated' }

/** Detects repeated offsets in one list. Call the result with the continuation of each page in turn. */
export function followPages(): (continuation: Continuation) => NextPage {
  const seen = new Set<string>()
  return (continuation) => {
    if (continuation.kind !== 'more') return continuation
    if (seen.has(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
    seen.add(continuation.after)
    return continuation
  }
}

/** A row of a list as parsed by the contract. */
export type ListRow<List extends ListId> = z.output<Endpoints[List]['reply']>['results'][number]

export type ListPage<List extends ListId> = Page<ListRow<List>>

/** Asserts that `page` is the reply of endpoint `list`, parsed by its schema, which the compiler cannot see. */
export function asListPage<List extends ListId>(_list: List, page: unknown): ListPage<List> {
  return page as ListPage<List>
}
