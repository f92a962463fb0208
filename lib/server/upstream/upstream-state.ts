import { type BreakerState, getInstruments } from '../metrics/instruments'
import { AppError } from '../runtime/app-error'
import { limitConcurrency } from '../runtime/limits'
import type { Connection } from './connection'
import * as m from '@/lib/messages/m'

const MAX_RETRIES = 5
const RETRIES_PER_REQUEST = 0.05

/**
 * Limits retries to five, plus one for every twenty requests sent since, never more than five at once. From the hundredth
 * request on, retries are thus under a tenth of the traffic.
 */
export class RetryBudget {
  #left = MAX_RETRIES

  /** Retries left, with the part that was earned towards the next. */
  get left(): number {
    return this.#left
  }

  /** Counts a request. */
  note(): void {
    this.#left = Math.min(MAX_RETRIES, this.#left + RETRIES_PER_REQUEST)
  }

  /** Whether a request may be retried; counts the retry. */
  take(): boolean {
    const isAllowed = this.#left >= 1
    getInstruments().upstreamRetries.inc({ outcome: isAllowed ? 'allowed' : 'refused' })
    if (!isAllowed) return false
    this.#left -= 1
    return true
  }
}

const MAX_FAILURES = 5
/** Cooldown after the fifth failure: a service that is back is noticed within 10 s. */
const COOLDOWN_MS = 5_000
/** So long after its cooldown without a request, nothing is known of the service any more. */
const FORGOTTEN_MS = 10 * 60_000

/** What the outcome of a request says about the connection. */
function readVerdict(error: unknown): 'holds' | 'fails' | 'nothing' {
  if (!(error instanceof AppError)) return 'nothing'
  if (error.code === 'upstream-unreachable') return 'fails'
  return error.evidence.written === true ? 'holds' : 'nothing'
}

/**
 * Keeps requests from an unreachable service: after five failures in a row it refuses them for 5 s, then lets one through
 * as a probe, and the others once that was answered. A reply of any status shows a working connection, even if late.
 * `now`, replaced in tests, is in milliseconds.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil = 0
  #isProbing = false

  constructor(readonly now = () => performance.now()) {}

  get state(): BreakerState {
    if (this.#failures < MAX_FAILURES || this.now() - this.#openUntil > FORGOTTEN_MS) return 'closed'
    return this.#isProbing ? 'probing' : 'open'
  }

  #admitProbe(): boolean {
    if (this.#failures < MAX_FAILURES) return false
    const left = this.#openUntil - this.now()
    if (left > 0 || this.#isProbing) {
      throw new AppError('upstream-unreachable', {
        detail: m.refusals_itIsLeftAlone(),
        retryAfter: Math.max(1, Math.ceil(left / 1_000)),
        written: false,
        isHeldBack: true,
      })
    }
    this.#isProbing = true
    return true
  }

  #record(verdict: 'holds' | 'fails' | 'nothing'): void {
    if (verdict === 'holds') this.#failures = 0
    if (verdict !== 'fails') return
    this.#failures += 1
    if (this.#failures >= MAX_FAILURES) this.#openUntil = this.now() + COOLDOWN_MS
  }

  /**
   * Runs a task unless the breaker is open; then throws AppError 'upstream-unreachable' with evidence.written false. With
   * `always` the task is run regardless, but its outcome counts.
   */
  async run<Result>(task: () => Promise<Result>, { always = false } = {}): Promise<Result> {
    const isProbe = always ? false : this.#admitProbe()
    try {
      const result = await task()
      this.#record('holds')
      return result
    } catch (error) {
      this.#record(readVerdict(error))
      throw error
    } finally {
      if (isProbe) this.#isProbing = false
    }
  }
}

declare global {
  /** By connection; on globalThis because Next loads this module once per graph. */
  var debitdeskForeground: Map<string, { running: number; endedAt: number }> | undefined
}

/** After a request that somebody waited for, another is likely within this time. */
const LINGER_MS = 150

/** Runs a task somebody waits for; background work slows down meanwhile. */
export async function inForeground<Result>(connectionId: string, task: () => Promise<Result>): Promise<Result> {
  const all = (globalThis.debitdeskForeground ??= new Map())
  const own = all.get(connectionId) ?? { running: 0, endedAt: 0 }
  all.set(connectionId, own)
  own.running += 1
  try {
    return await task()
  } finally {
    own.running -= 1
    own.endedAt = performance.now()
  }
}

/** Whether somebody is waiting for this connection's service, or was a moment ago. */
export function isForegroundBusy(connectionId: string): boolean {
  const own = globalThis.debitdeskForeground?.get(connectionId)
  return own !== undefined && (own.running > 0 || performance.now() - own.endedAt < LINGER_MS)
}

/** A process's state for one service. */
export type UpstreamState = { breaker: CircuitBreaker; budget: RetryBudget; gate: ReturnType<typeof limitConcurrency> }

declare global {
  /** By connection and address; on globalThis because Next loads this module once per graph. */
  var debitdeskUpstreamStates: Map<string, UpstreamState> | undefined
}

/** Concurrent requests to one service, and queued ones. */
const MAX_CONCURRENT = 128
const MAX_WAITING = 512

/** The state of a connection's service: one per process. */
export function getUpstreamState({
  connectionId,
  baseUrl,
}: Pick<Connection, 'connectionId' | 'baseUrl'>): UpstreamState {
  const states = (globalThis.debitdeskUpstreamStates ??= new Map())
  const key = `${connectionId} ${baseUrl.origin}`
  const known = states.get(key)
  if (known) return known
  const state = {
    breaker: new CircuitBreaker(),
    budget: new RetryBudget(),
    gate: limitConcurrency(MAX_CONCURRENT, MAX_WAITING),
  }
  states.set(key, state)
  return state
}

/** Forgets the state of a connection's services, but for the one at `kept`: nobody will ask them again. */
export function dropUpstreamStates(connectionId: string, kept?: URL): void {
  for (const key of globalThis.debitdeskUpstreamStates?.keys() ?? [])
    if (key.startsWith(`${connectionId} `) && key !== `${connectionId} ${kept?.origin}`)
      globalThis.debitdeskUpstreamStates?.delete(key)
}
