import type { ListId, Proofs } from '@/lib/contract/ability'
import { asListPage, type ListPage } from '@/lib/contract/list-page'
import { rememberRefusedLimit } from './capabilities'
import { Failure } from './failure'
import { perform } from './perform'
import type { Session } from './session'
import { type ToldFailure, tellFailure } from './tell-failure'

/** Filter and order as written for the service; only what was proven to work. */
export type ListAsk = { filter?: string; orderby?: string }

/** What a page can give its table at once: the first page, or why there is none; null when the browser should ask. */
export type FirstPage<List extends ListId> = { page: ListPage<List> } | { failure: ToldFailure } | null

/** So long the server waits before it sends the page with a skeleton instead (design, "Tables"). */
const patience = 1_500

async function read<List extends ListId>(
  session: Session,
  list: List,
  ask: ListAsk,
  proofs: Proofs,
  signal: AbortSignal,
): Promise<ListPage<List>> {
  const readPage = async (query: ListAsk & { limit?: string }) =>
    asListPage(list, await perform<ListId>(session, list, { query, signal }))
  if (proofs.limit === false) return readPage(ask)
  try {
    return await readPage({ ...ask, limit: '100' })
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'upstream-refused') || ask.filter || ask.orderby) throw error
    // The query of GET /Payments is not documented: a service may refuse any, and still give its first page.
    const page = await readPage({})
    await rememberRefusedLimit(session, list).catch(() => undefined)
    return page
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
  proofs: Proofs,
): Promise<FirstPage<List>> {
  const signal = AbortSignal.timeout(patience)
  try {
    return { page: await read(session, list, ask, proofs, signal) }
  } catch (error) {
    const isOurAsk = error instanceof Failure && error.code === 'upstream-refused' && Boolean(ask.filter || ask.orderby)
    return signal.aborted || isOurAsk ? null : { failure: await tellFailure(error) }
  }
}
