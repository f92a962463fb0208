import { log } from './log'
import { RepeatLimit } from './repeat-limit'
import { getRequestFacts } from './request-facts'
import { groupPeer } from './trusted-proxies'

/** The events of the log that tell of attacks: `npm start` keeps them a second time in a file of their own. */
const securityLog = log.child({ stream: 'security' })

declare global {
  /** One per process and name, in whichever of Next's module graphs it began. */
  var debitdeskSecurityLimits: Map<string, RepeatLimit> | undefined
}

/** The limit of this name: at most so many lines in a window, of all kinds together, and one for what it held back. */
export function getSecurityLimit(name: string, { seconds, most }: { seconds: number; most: number }): RepeatLimit {
  const limits = (globalThis.debitdeskSecurityLimits ??= new Map())
  const limit =
    limits.get(name) ??
    new RepeatLimit({
      windowMs: seconds * 1_000,
      most,
      report: (heldBack) => {
        for (const { subject, count, peers, otherPeers } of heldBack)
          logSecurityEvent({ event: 'repeated', what: subject, count, seconds, peers, otherPeers })
      },
    })
  limits.set(name, limit)
  return limit
}

const getLimit = () => getSecurityLimit('events', { seconds: 60, most: 200 })

/** Writes a line for an event that somebody cannot repeat at will. */
export function logSecurityEvent(line: { event: string } & Record<string, unknown>): void {
  securityLog.warn(line)
}

/** Counts an event that gets no line of its own; `what` is the kind of it, of which there are few. */
export function countSecurityEvent(what: string, peer = getRequestFacts()?.peer ?? 'unknown'): void {
  getLimit().hold({ subject: what, peer: groupPeer(peer) })
}

/**
 * Writes a line for an event that anybody can repeat: the first of its kind in a minute, and for all others one line with
 * their count when the minute ends, so that nobody can push out of the log what else it holds.
 */
export function logRepeatable(
  what: string,
  line: { event: string } & Record<string, unknown>,
  peer = getRequestFacts()?.peer ?? 'unknown',
): void {
  if (getLimit().pass({ subject: what, peer: groupPeer(peer) }, { most: 1 })) logSecurityEvent({ ...line, peer })
}

/** Writes down what was only counted so far. */
export function settleSecurityLog(): void {
  for (const limit of globalThis.debitdeskSecurityLimits?.values() ?? []) limit.end()
}
