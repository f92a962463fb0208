import type { ListId } from '@/lib/contract/ability'
import { asListPage, type ListPage } from '@/lib/contract/list-page'
import type { ToldFailure } from '@/lib/contract/problem'
import { Failure } from './failure'
import { perform } from './perform'
import type { Session } from './session'
import { tellFailure } from './tell-failure'

/** Filter and order as written for the service; only what was proven to work. */
export type ListAsk = { filter?: string; orderby?: string }

/** What a page can give its table: a page of the list, or why there is none; null when the browser should ask. */
export type FirstPage<List extends ListId> = { page: ListPage<List> } | { failure: ToldFailure } | null

/** How long the server waits before it sends the page with a skeleton instead. */
const patience = 1_500

async function readPage<List extends ListId>(session: Session, list: List, ask: ListAsk): Promise<FirstPage<List>> {
  const signal = AbortSignal.timeout(patience)
  try {
    const page = await perform<ListId>(session, list, { query: { ...ask, limit: '100' }, signal })
    return { page: asListPage(list, page) }
  } catch (error) {
    const isOurAsk = error instanceof Failure && error.code === 'upstream-refused' && Boolean(ask.filter || ask.orderby)
    return signal.aborted || isOurAsk ? null : { failure: await tellFailure(error) }
  }
}

/**
 * Reads the first page of a list for the HTML of its page. Waits 1.5 s at most; never throws: what went
 * wrong is told as the browser would be told.
 */
export async function readFirstPage<List extends ListId>(
  session: Session,
  list: List,
  ask: ListAsk,
): Promise<FirstPage<List>> {
  const first = await readPage(session, list, ask)
  // That a filter finds nothing is looked into by the browser before it is said.
  const isNothing = ask.filter !== undefined && first !== null && 'page' in first && first.page.results.length === 0
  return isNothing ? null : first
}
