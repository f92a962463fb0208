import type { ListId, Proofs } from '@/lib/contract/ability'
import { asListPage, type ListPage } from '@/lib/contract/list-page'
import type { Problem } from '@/lib/contract/problem'
import { rememberRefusedLimit } from './capabilities'
import { describeError } from './describe-error'
import { Failure } from './failure'
import { startTrace } from './headers'
import { log } from './log'
import { perform } from './perform'
import { problemResponse } from './problem-response'
import type { Session } from './session'

/** Filter and order as written for the service; only what was proven to work. */
export type ListAsk = { filter?: string; orderby?: string }

/** A failure as it can be handed to the browser: the parts of a CallError. */
export type ToldFailure = {
  status: number
  code: string
  problem: Problem & Record<string, unknown>
  retryAfter: number | null
}

/** What a page can give its table at once: the first page, or why there is none; null when the browser should ask. */
export type FirstPage<List extends ListId> = { page: ListPage<List> } | { failure: ToldFailure } | null

/** So long the server waits before it sends the page with a skeleton instead (design, "Tables"). */
const patience = 1_500

async function tell(error: unknown): Promise<ToldFailure> {
  const failure = error instanceof Failure ? error : new Failure('internal', {}, { cause: error })
  const { requestId } = startTrace()
  if (failure.status >= 500)
    log.error({ event: 'failed', requestId, code: failure.code, error: describeError(failure.cause ?? failure) })
  const problem = await problemResponse(failure, requestId).json()
  return { status: failure.status, code: failure.code, problem, retryAfter: failure.evidence.retryAfter ?? null }
}

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
    return signal.aborted || isOurAsk ? null : { failure: await tell(error) }
  }
}
