import type { SerializedFailure } from '@/lib/api-contract/problem'
import type { Filter } from '@/lib/api-contract/filter'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { asListPage, type ListPage } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import type { Session } from '../auth/session'
import { createProblemResponse } from '../http/problem-details'
import { AppError, toAppError, toInternalError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { countProblem } from '../metrics/instruments'
import { getRequestContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'
import { callEndpoint, type EndpointInput, type EndpointReply } from './call-endpoint'

/** A page's own read error in the form an API call would return, counted as one; errors of ours are logged. */
export async function toProblemDetails(error: unknown): Promise<SerializedFailure> {
  const failure = toAppError(error, toInternalError)
  countProblem(failure)
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

/** Filter and order in the service's syntax; only proven capabilities. */
export type ListAsk = { filter?: string; orderby?: string }

/** The first page of a table's list, or why there is none; null when the browser should request it. */
export type FirstPage<List extends ListId> = { page: ListPage<List> } | { failure: SerializedFailure } | null

/** After this the page is sent with a skeleton instead. */
const FIRST_PAGE_TIMEOUT_MS = 1_500

async function readPage<List extends ListId>(session: Session, list: List, ask: ListAsk): Promise<FirstPage<List>> {
  const signal = AbortSignal.timeout(FIRST_PAGE_TIMEOUT_MS)
  try {
    const page = await callEndpoint<ListId>(session, list, { query: { ...ask, limit: '100' }, signal })
    return { page: asListPage(list, page) }
  } catch (error) {
    const isQueryRefused =
      error instanceof AppError && error.code === 'upstream-refused' && Boolean(ask.filter || ask.orderby)
    return signal.aborted || isQueryRefused ? null : { failure: await toProblemDetails(error) }
  }
}

/**
 * Reads the first page of a list for its page's HTML, within 1.5 s. `requestedFilter` is the filter of `ask` as data: the
 * browser reads a page that contradicts it, and notes that. Never throws: failures are returned as the browser would
 * receive them.
 */
export async function readFirstPage<List extends ListId>(
  session: Session,
  list: List,
  ask: ListAsk,
  requestedFilter: Filter | null = null,
): Promise<FirstPage<List>> {
  const first = await readPage(session, list, ask)
  if (first === null || 'failure' in first) return first
  const { results } = first.page
  // The browser verifies an empty filter result before showing it.
  if (ask.filter !== undefined && results.length === 0) return null
  return requestedFilter === null || results.every((row) => matchesFilter(requestedFilter, row)) ? first : null
}

/** Endpoints that return one record, or a whole list. */
type RecordId = 'getCustomer' | 'getMandate' | 'getAgreement' | 'getMerchant' | 'listWebhooks'

/** A record for a page, or why there is none. */
export type ReadRecord<Id extends RecordId> = { record: EndpointReply<Id> } | { failure: SerializedFailure }

const RECORD_TIMEOUT_MS = 8_000

/** Reads the record of a page. Never throws: failures are returned as the browser would receive them. */
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
