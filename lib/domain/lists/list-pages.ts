import type * as z from 'zod'
import type { Endpoints } from '@/lib/api-contract/endpoints'
import type { Continuation, Page } from '@/lib/api-contract/pagination'
import type { ListId } from './capabilities'

/** How a list goes on after a page; one that leads back to a page never comes to its end. */
export type NextPage = Continuation | { kind: 'incomplete'; reason: 'offset-repeated' }

/** Follows one list: what is returned is called with the continuation of each page, in turn. */
export function followPages(): (continuation: Continuation) => NextPage {
  const met = new Set<string>()
  return (continuation) => {
    if (continuation.kind !== 'more') return continuation
    if (met.has(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
    met.add(continuation.after)
    return continuation
  }
}

/** A row of a list, as the contract reads it. */
export type ListRow<List extends ListId> = z.output<Endpoints[List]['reply']>['results'][number]

/** One page of a list. */
export type ListPage<List extends ListId> = Page<ListRow<List>>

/** Guarantee: `page` is the reply of endpoint `list`, read by its schema; only the compiler does not see it. */
export function asListPage<List extends ListId>(_list: List, page: unknown): ListPage<List> {
  return page as ListPage<List>
}
