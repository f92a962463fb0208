import pino from 'pino'
import { getRequestFacts } from './request-facts'

/**
 * The desk's log: JSON lines on standard output. What goes in is chosen field by field where it is
 * written; never a body, a cookie, a credential or an exception's message (see describeError). Each line
 * names by itself the request and the trace that it belongs to, and who asked where that is known.
 */
export const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: nameRequest }, process.stdout)

function nameRequest(): Record<string, string> {
  const facts = getRequestFacts()
  if (!facts) return {}
  const { requestId, traceId, userId } = facts
  return { requestId, traceId, ...(userId !== undefined && { userId }) }
}
