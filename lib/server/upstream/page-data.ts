import type { SerializedFailure } from '@/lib/api-contract/problem'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import type { Session } from '../auth/session'
import { createProblemResponse } from '../http/problem-details'
import { AppError, toAppError, toInternalError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { getRequestContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'
import { callEndpoint, type EndpointInput, type EndpointReply } from './call-endpoint'

/** Tells a page what its own reading came to, as an API call would have been told; failures of ours are logged. */
export async function toProblemDetails(error: unknown): Promise<SerializedFailure> {
  const failure = toAppError(error, toInternalError)
  const { requestId, traceId } = getRequestContext() ?? startTrace()
  if (failure.status >= 500)
    log.error({
      event: 'failed',
      requestId,
      traceId,
      code: failure.code,
      error: describeError(failure.cause ?? failure),
    })
  const problem = await createProblemResponse(failure, requestId).json()
  return { status: failure.status, code: failure.code, problem, retryAfter: failure.evidence.retryAfter ?? null }
}

/** Filter and order as written for the service; only what was proven to work. */
export type ListAsk = { filter?: string; orderby?: string }

/** What a page can give its table: a page of the list, or why there is none; null when the browser should ask. */
export type FirstPage<List extends ListId> = { page: ListPage<List> } | { failure: SerializedFailure } | null

/** How long the server waits before it sends the page with a skeleton instead. */
const FIRST_PAGE_TIMEOUT_MS = 1_500

async function readPage<List extends ListId>(session: Session, list: List, ask: ListAsk): Promise<FirstPage<List>> {
  const signal = AbortSignal.timeout(FIRST_PAGE_TIMEOUT_MS)
  try {
    const page = await callEndpoint<ListId>(session, list, { query: { ...ask, limit: '100' }, signal })
    return { page: asListPage(list, page) }
  } catch (error) {
    const isOurAsk =
      error instanceof AppError && error.code === 'upstream-refused' && Boolean(ask.filter || ask.orderby)
    return signal.aborted || isOurAsk ? null : { failure: await toProblemDetails(error) }
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

/** The reads of one record, or of a list that comes whole. */
type RecordId = 'getCustomer' | 'getMandate' | 'getAgreement' | 'getMerchant' | 'listWebhooks'

/** A record for a page, or why there is none. */
export type ReadRecord<Id extends RecordId> = { record: EndpointReply<Id> } | { failure: SerializedFailure }

/** So long a page waits for its record, in milliseconds. */
const RECORD_TIMEOUT_MS = 8_000

/** Reads the record that a page is about. Never throws: what went wrong is told as the browser would be told. */
export async function readRecord<Id extends RecordId>(
  session: Session,
  id: Id,
  params: NonNullable<EndpointInput['params']> = {},
): Promise<ReadRecord<Id>> {
  try {
    return { record: await callEndpoint(session, id, { params, signal: AbortSignal.timeout(RECORD_TIMEOUT_MS) }) }
  } catch (error) {
    return { failure: await toProblemDetails(error) }
  }
}
