import { describeError } from './describe-error'
import { Failure, type FailureCode } from './failure'
import { sealReply, startTrace, type Trace } from './headers'
import { log } from './log'
import { problemResponse } from './problem-response'

/** What an answer learned about the request on the way, for the log. */
export type AnswerFacts = { userId?: string }

const denials: readonly FailureCode[] = ['signed-out', 'forbidden', 'cross-origin']

/** The inbox's address is its secret: it stays out of the log. */
function hideSecret(path: string): string {
  return path.replace(/^\/hooks\/.+/u, '/hooks/…')
}

function record(failure: Failure, request: Request, trace: Trace, facts: AnswerFacts): void {
  const { method, url } = request
  const line = {
    requestId: trace.requestId,
    traceId: trace.traceId,
    code: failure.code,
    method,
    path: hideSecret(new URL(url).pathname).slice(0, 500),
    ...facts,
  }
  if (denials.includes(failure.code)) log.warn({ event: 'denied', ...line })
  else if (failure.status >= 500) {
    log.error({
      event: 'failed',
      ...line,
      upstream: failure.evidence.upstream?.status,
      error: describeError(failure.cause ?? failure),
    })
  }
}

/**
 * Runs a handler and sees to it that whatever happens becomes a sealed reply: a Failure its problem record,
 * anything else an 'internal' without details. Each failure of ours and each denial is logged once, with
 * the request id that the reply names and the trace it belongs to (BF-18, AZ-09).
 */
export async function answer(
  request: Request,
  handle: (trace: Trace, facts: AnswerFacts) => Promise<Response>,
): Promise<Response> {
  const trace = startTrace(request.headers.get('traceparent'))
  const facts: AnswerFacts = {}
  try {
    return sealReply(await handle(trace, facts), trace)
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('internal', {}, { cause: error })
    record(failure, request, trace, facts)
    return sealReply(problemResponse(failure, trace.requestId), trace)
  }
}
