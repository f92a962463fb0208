import { AppError } from '../runtime/app-error'
import { limitConcurrency } from '../runtime/limits'
import type { Connection } from './connection'
import * as refusals from '@/lib/words/refusals'

const reserve = 5
const share = 0.05

/**
 * How many requests may be sent again: five, and one more for every twenty that were sent since, never more
 * than five at once. So what is sent again stays under a tenth of what is sent, from the hundredth on.
 */
export class RetryBudget {
  #left = reserve

  /** Takes note of a request that was asked for. */
  note(): void {
    this.#left = Math.min(reserve, this.#left + share)
  }

  /** Whether one request may be sent again; it is then counted. */
  take(): boolean {
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}

const MAX_FAILURES = 5
/** So long nothing is sent after the fifth failure, in milliseconds: a service that is back is noticed within 10 s. */
const COOLDOWN_MS = 5_000

/** What a request told of the connection: that it holds, that it does not, or nothing. */
function readVerdict(error: unknown): 'holds' | 'fails' | 'nothing' {
  if (!(error instanceof AppError)) return 'nothing'
  if (error.code === 'upstream-unreachable') return 'fails'
  return error.evidence.written === true ? 'holds' : 'nothing'
}

/**
 * Keeps requests from a service that cannot be connected to: after five failures in a row it refuses for 5 s,
 * then lets one request through to see, and the others when that was answered. A reply of any status, and one
 * that comes too late, shows a connection that holds. `now` is there for tests, in milliseconds.
 */
export class CircuitBreaker {
  #failures = 0
  #openUntil = 0
  #isProbing = false

  constructor(readonly now = () => performance.now()) {}

  #admit(): boolean {
    if (this.#failures < MAX_FAILURES) return false
    const left = this.#openUntil - this.now()
    if (left > 0 || this.#isProbing) {
      throw new AppError('upstream-unreachable', {
        detail: refusals.itIsLeftAlone,
        retryAfter: Math.max(1, Math.ceil(left / 1_000)),
        written: false,
      })
    }
    this.#isProbing = true
    return true
  }

  #note(verdict: 'holds' | 'fails' | 'nothing'): void {
    if (verdict === 'holds') this.#failures = 0
    if (verdict !== 'fails') return
    this.#failures += 1
    if (this.#failures >= MAX_FAILURES) this.#openUntil = this.now() + COOLDOWN_MS
  }

  /**
   * Runs a task unless the service is being left alone; then throws AppError 'upstream-unreachable' with
   * evidence.written false. What is `always` run is only taken note of.
   */
  async run<Result>(task: () => Promise<Result>, { always = false } = {}): Promise<Result> {
    const isProbe = always ? false : this.#admit()
    try {
      const result = await task()
      this.#note('holds')
      return result
    } catch (error) {
      this.#note(readVerdict(error))
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

/** So long after a request that somebody waited for, another is likely. In milliseconds. */
const lingers = 150

/** Does what somebody waits for; meanwhile work that nobody waits for goes slowly. */
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

/** Whether somebody waits for the service of this connection, or did a moment ago. */
export function isForegroundBusy(connectionId: string): boolean {
  const own = globalThis.debitdeskForeground?.get(connectionId)
  return own !== undefined && (own.running > 0 || performance.now() - own.endedAt < lingers)
}

/** What a process knows of the way to one service. */
export type UpstreamState = { breaker: CircuitBreaker; budget: RetryBudget; gate: ReturnType<typeof limitConcurrency> }

declare global {
  /** By connection and address; on globalThis because Next loads this module once per graph. */
  var debitdeskWires: Map<string, UpstreamState> | undefined
}

/** At most so many requests are under way to one service, and so many wait for their turn. */
const MAX_CONCURRENT = 128
const waiting = 512

/** The wire of a connection: one per process. */
export function getUpstreamState({
  connectionId,
  baseUrl,
}: Pick<Connection, 'connectionId' | 'baseUrl'>): UpstreamState {
  const wires = (globalThis.debitdeskWires ??= new Map())
  const key = `${connectionId} ${baseUrl.origin}`
  const known = wires.get(key)
  if (known) return known
  const wire = {
    breaker: new CircuitBreaker(),
    budget: new RetryBudget(),
    gate: limitConcurrency(MAX_CONCURRENT, waiting),
  }
  wires.set(key, wire)
  return wire
}
