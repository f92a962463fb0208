import { log } from './log'
import { groupPeer } from './peer-address'
import { getRequestContext, inBackground } from './request-context'

/** What was held back of one thing within a window. */
export type HeldBack = {
  subject: string
  count: number
  /** How often from each address; only of the first few, see `otherPeers`. */
  peers: Record<string, number>
  /** How many came from further addresses. */
  otherPeers: number
}

/** Who does it again and again: what it is counted under, and the address that it came from. */
export type Repeat = { subject: string; peer: string; now?: number }

type Options = {
  windowMs: number
  /** How many pass within a window, of all subjects together. */
  most: number
  /** Told once when a window ends in which something was held back. */
  report: (heldBack: readonly HeldBack[]) => void
}

/** Addresses that are told apart, and subjects: whoever makes up more of them is counted among the others. */
const MAX_PEERS = 10
const MAX_SUBJECTS = 200
const OTHERS = 'others'

/**
 * Lets what strangers can repeat at will leave a bounded trace: the first few of each kind pass, the rest is counted and
 * reported once when the window ends. Memory is bounded however many kinds and addresses are made up.
 */
export class RepeatLimit {
  readonly #options: Options
  #startedAt: number | undefined
  #passed = 0
  #passedBySlot = new Map<string, number>()
  #held = new Map<string, HeldBack>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether one more may pass: at most `most` of its `slot` in a window. What may not is held back. */
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

  /** Counts something that does not pass. */
  hold({ subject, peer, now = Date.now() }: Repeat): void {
    this.#enterWindow(now)
    const counted = this.#held.has(subject) || this.#held.size < MAX_SUBJECTS ? subject : OTHERS
    const held = this.#held.get(counted) ?? { subject: counted, count: 0, peers: {}, otherPeers: 0 }
    this.#held.set(counted, held)
    held.count += 1
    if (Object.hasOwn(held.peers, peer) || Object.keys(held.peers).length < MAX_PEERS)
      held.peers[peer] = (held.peers[peer] ?? 0) + 1
    else held.otherPeers += 1
  }

  /** Ends the window and reports what it held back. */
  end(): void {
    clearTimeout(this.#timer)
    const held = [...this.#held.values()]
    this.#startedAt = undefined
    this.#passed = 0
    this.#passedBySlot = new Map()
    this.#held = new Map()
    // It belongs to no one request, least of all to the one that happened to end the window.
    if (held.length > 0) inBackground(() => this.#options.report(held))
  }

  #enterWindow(now: number): void {
    const { windowMs } = this.#options
    if (this.#startedAt !== undefined && Math.abs(now - this.#startedAt) >= windowMs) this.end()
    if (this.#startedAt !== undefined) return
    this.#startedAt = now
    this.#timer = setTimeout(() => this.end(), windowMs).unref()
  }
}

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
export function countSecurityEvent(what: string, peer = getRequestContext()?.peer ?? 'unknown'): void {
  getLimit().hold({ subject: what, peer: groupPeer(peer) })
}

/**
 * Writes a line for an event that anybody can repeat: the first of its kind in a minute, and for all others one line with
 * their count when the minute ends, so that nobody can push out of the log what else it holds.
 */
export function logRepeatable(
  what: string,
  line: { event: string } & Record<string, unknown>,
  peer = getRequestContext()?.peer ?? 'unknown',
): void {
  if (getLimit().pass({ subject: what, peer: groupPeer(peer) }, { most: 1 })) logSecurityEvent({ ...line, peer })
}

/** Writes down what was only counted so far. */
export function flushSecurityLog(): void {
  for (const limit of globalThis.debitdeskSecurityLimits?.values() ?? []) limit.end()
}
