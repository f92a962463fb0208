import { noteSeldom } from './activity/note-activity'
import { describeError } from './describe-error'
import { Failure, type FailureCode, toFailure, toInternalFailure } from './failure'
import { sealReply } from './headers'
import { log } from './log'
import { problemResponse } from './problem-response'
import { duringRequest, isGuarded, type RequestFacts } from './request-facts'
import { countSecurityEvent, logRepeatable, logSecurityEvent } from './security-log'

const denials: readonly FailureCode[] = ['signed-out', 'forbidden', 'cross-origin', 'step-up', 'wrong-password']

/** The inbox's address is its secret: it stays out of the log. */
function hideSecret(path: string): string {
  return path.replace(/^\/hooks\/.+/u, '/hooks/…')
}

const minute = 60_000

/** Of which thing: without the ids in it, of which anybody could make up any number. */
function nameRoute(path: string): string {
  return path.split('/').slice(0, 4).join('/')
}

/**
 * Once a minute of each person and thing, as a line of the log and a row of the activity log. Those without a session
 * stand in the log of lines alone, once a minute for all of them, for it takes no proof to send one; being asked for the
 * password again is no refusal.
 */
function noteDenial(line: { code: string; method: string; path: string }, facts: RequestFacts): void {
  const { sessionId, email, connectionId } = facts
  if (sessionId === undefined || email === undefined || connectionId === undefined) {
    logRepeatable(`${line.code} of strangers`, { event: 'denied', ...line }, facts.peer)
    return
  }
  if (line.code === 'step-up') {
    logRepeatable(`${line.code} of ${facts.userId}`, { event: 'denied', ...line }, facts.peer)
    return
  }
  const isNoted = noteSeldom(`denied ${email} ${line.code} ${line.method} ${nameRoute(line.path)}`, minute, {
    connectionId,
    actor: email,
    action: 'access.denied',
    objectKind: 'session',
    objectId: sessionId,
    outcome: 'refused',
    details: line,
  })
  // The line and the row name the same request.
  if (isNoted) logSecurityEvent({ event: 'denied', ...line })
  else countSecurityEvent(`${line.code} of ${facts.userId}`, facts.peer)
}

function record(failure: Failure, request: Request, facts: RequestFacts): void {
  const { method, url } = request
  const line = { code: failure.code, method, path: hideSecret(new URL(url).pathname).slice(0, 500) }
  if (denials.includes(failure.code)) noteDenial(line, facts)
  // Whoever asked has left the page meanwhile: nothing failed.
  const isLeft = request.signal.aborted && failure.code === 'upstream-timeout'
  if (failure.status >= 500 && !isLeft) {
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
 * anything else an 'internal' without details. Each failure of ours is logged once, with the
 * request id that the reply names and the trace it belongs to; denials as noteDenial says (BF-18, AZ-09).
 */
export function answer(request: Request, handle: (facts: RequestFacts) => Promise<Response>): Promise<Response> {
  const guarded = isGuarded()
  return duringRequest(request, async (facts) => {
    try {
      if (!guarded) throw new Failure('internal')
      return sealReply(await handle(facts), facts)
    } catch (error) {
      const failure = toFailure(error, toInternalFailure)
      record(failure, request, facts)
      return sealReply(problemResponse(failure, facts.requestId), facts)
    }
  })
}
