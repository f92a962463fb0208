import { log } from './log'
import { groupPeer } from './peer-address'
import { getRequestContext, inBackground } from './request-context'

/** The suppressed events of one subject within a window. */
export type HeldBack = {
  subject: string
  count: number
  /** Counts per address, for the first few addresses only; see `otherPeers`. */
  peers: Record<string, number>
  /** The count from further addresses. */
  otherPeers: number
}

/** An event that may be repeated: the subject it is counted under, and its client's address. */
export type Repeat = { subject: string; peer: string; now?: number }

type Options = {
  windowMs: number
  /** How many pass within a window, over all subjects. */
  most: number
  /** Called when a window ends in which events were suppressed. */
  report: (heldBack: readonly HeldBack[]) => void
}

/** Distinct addresses and subjects that are counted separately; further ones are counted together. */
const MAX_PEERS = 10
const MAX_SUBJECTS = 200
const OTHERS = 'others'

/**
 * Limits log lines for events that anonymous clients can repeat at will: the first few of each kind pass, the rest are
 * counted and reported once when the window ends. Memory is bounded whatever kinds and addresses clients invent.
 */
export class RepeatLimit {
  readonly #options: Options
  #startedAt: number | undefined
  #passed = 0
  #passedBySlot = new Map<string, number>()
  #suppressed = new Map<string, HeldBack>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether one more may pass: at most `most` per `slot` in a window. The others are counted. */
  pass(repeat: Repeat, { slot = repeat.subject, most }: { slot?: string; most: number }): boolean {
    this.#enterWindow(repeat.now ?? Date.now())
    const passed = this.#passedBySlot.get(slot) ?? 0
    if (passed < most && this.#passed < this.#options.most) {
      this.#passed += 1
      this.#passedBySlot.set(slot, passed + 1)
      return true
    }
    this.hold(repeat)
    return false
  }

  /** Counts an event that doesn't pass. */
  hold({ subject, peer, now = Date.now() }: Repeat): void {
    this.#enterWindow(now)
    const key = this.#suppressed.has(subject) || this.#suppressed.size < MAX_SUBJECTS ? subject : OTHERS
    const counts = this.#suppressed.get(key) ?? { subject: key, count: 0, peers: {}, otherPeers: 0 }
    this.#suppressed.set(key, counts)
    counts.count += 1
    if (Object.hasOwn(counts.peers, peer) || Object.keys(counts.peers).length < MAX_PEERS)
      counts.peers[peer] = (counts.peers[peer] ?? 0) + 1
    else counts.otherPeers += 1
  }

  /** Ends the window and reports the suppressed events. */
  end(): void {
    clearTimeout(this.#timer)
    const suppressed = [...this.#suppressed.values()]
    this.#startedAt = undefined
    this.#passed = 0
    this.#passedBySlot = new Map()
    this.#suppressed = new Map()
    // The report belongs to no request, not even the one that happened to end the window.
    if (suppressed.length > 0) inBackground(() => this.#options.report(suppressed))
  }

  #enterWindow(now: number): void {
    const { windowMs } = this.#options
    if (this.#startedAt !== undefined && Math.abs(now - this.#startedAt) >= windowMs) this.end()
    if (this.#startedAt !== undefined) return
    this.#startedAt = now
    this.#timer = setTimeout(() => this.end(), windowMs).unref()
  }
}

/** Log events that indicate attacks: `npm start` also writes them to a file of their own. */
const securityLog = log.child({ stream: 'security' })

declare global {
  /** One per process and name, across Next's module graphs. */
  var debitdeskSecurityLimits: Map<string, RepeatLimit> | undefined
}

/** The limit of this name: at most `most` lines per window over all kinds, plus one for each suppressed kind. */
export function getSecurityLimit(name: string, { seconds, most }: { seconds: number; most: number }): RepeatLimit {
  const limits = (globalThis.debitdeskSecurityLimits ??= new Map())
  const limit =
    limits.get(name) ??
    new RepeatLimit({
      windowMs: seconds * 1_000,
      most,
      report: (suppressed) => {
        for (const { subject, count, peers, otherPeers } of suppressed)
          logSecurityEvent({ event: 'repeated', what: subject, count, seconds, peers, otherPeers })
      },
    })
  limits.set(name, limit)
  return limit
}

const getLimit = () => getSecurityLimit('events', { seconds: 60, most: 200 })

/** Logs an event that nobody can repeat at will. */
export function logSecurityEvent(line: { event: string } & Record<string, unknown>): void {
  securityLog.warn(line)
}

/** Counts an event without logging it; `what` is one of a few kinds. */
export function countSecurityEvent(what: string, peer = getRequestContext()?.peer ?? 'unknown'): void {
  getLimit().hold({ subject: what, peer: groupPeer(peer) })
}

/**
 * Logs an event that anybody can repeat: the first of its kind in a minute, and a count of the others when the minute
 * ends, so that a flood cannot displace other lines.
 */
export function logRepeatable(
  what: string,
  line: { event: string } & Record<string, unknown>,
  peer = getRequestContext()?.peer ?? 'unknown',
): void {
  if (getLimit().pass({ subject: what, peer: groupPeer(peer) }, { most: 1 })) logSecurityEvent({ ...line, peer })
}

/** Logs all pending counts. */
export function flushSecurityLog(): void {
  for (const limit of globalThis.debitdeskSecurityLimits?.values() ?? []) limit.end()
}
