import type * as z from 'zod'
import type { ListId } from './ability'
import type { Endpoints } from './endpoints'
import type { Page } from './page'

/** A row of a list, as the contract reads it. */
export type ListRow<List extends ListId> = z.output<Endpoints[List]['reply']>['results'][number]

/** One page of a list. */
export type ListPage<List extends ListId> = Page<ListRow<List>>

/** Guarantee: `page` is the reply of endpoint `list`, read by its schema; only the compiler does not see it. */
export function asListPage<List extends ListId>(_list: List, page: unknown): ListPage<List> {
  return page as ListPage<List>
}
