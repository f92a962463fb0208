import pino from 'pino'
import { getRequestContext } from './request-context'

type ErrorFacts = { name: string; code?: string; frames: string[]; cause?: ErrorFacts }

/**
 * What may be logged of an exception: its name, its code, where it was thrown, and the same of its cause.
 * Never its message: drivers write statements with their values into it.
 */
export function describeError(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line))
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

/**
 * The desk's log: JSON lines on standard output. What goes in is chosen field by field where it is
 * written; never a body, a cookie, a credential or an exception's message (see describeError). Each line
 * names by itself the request and the trace that it belongs to, and who asked where that is known.
 */
export const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: nameRequest }, process.stdout)

function nameRequest(): Record<string, string> {
  const facts = getRequestContext()
  if (!facts) return {}
  const { requestId, traceId, userId } = facts
  return { requestId, traceId, ...(userId !== undefined && { userId }) }
}
