import type { ToldFailure } from '@/lib/contract/problem'
import { describeError } from './describe-error'
import { toFailure, toInternalFailure } from './failure'
import { startTrace } from './headers'
import { log } from './log'
import { problemResponse } from './problem-response'
import { getRequestFacts } from './request-facts'

/** Tells a page what its own reading came to, as an API call would have been told; failures of ours are logged. */
export async function tellFailure(error: unknown): Promise<ToldFailure> {
  const failure = toFailure(error, toInternalFailure)
  const { requestId, traceId } = getRequestFacts() ?? startTrace()
  if (failure.status >= 500)
    log.error({
      event: 'failed',
      requestId,
      traceId,
      code: failure.code,
      error: describeError(failure.cause ?? failure),
    })
  const problem = await problemResponse(failure, requestId).json()
  return { status: failure.status, code: failure.code, problem, retryAfter: failure.evidence.retryAfter ?? null }
}
