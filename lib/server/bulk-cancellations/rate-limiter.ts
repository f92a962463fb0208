/** The result of one payment for pacing; `ignored` says nothing about the upstream API's load. */
export type SendResult = {
  kind: 'served' | 'slow-down' | 'failed' | 'ignored'
  /** Milliseconds. */
  latency: number
  /** Start time by the limiter's clock. */
  startedAt: number
  /** Retry-After in ms, if given. */
  wait?: number
}

const MAX_CONCURRENT = 8
const MAX_GAP_MS = 5_000
const MAX_PAUSE_MS = 30_000

/**
 * Controls the rate of a bulk, similar to TCP congestion control. Concurrency grows by one per successful round up to
 * MAX_CONCURRENT, shrinks while latency is three times the best, and halves, with larger gaps and a pause, on 429 and
 * failures. Times are milliseconds of any monotonic clock.
 */
export class RateLimiter {
  readonly #now: () => number
  #limit = 2
  #running = 0
  /** Minimum time between two starts. */
  #gap = 0
  #nextStartAt = 0
  #bestLatency = Number.POSITIVE_INFINITY
  #lastCutAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #lastStartedAt = Number.NaN
  #averageInterval = 0
  waitUntil = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many may run at once. */
  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** Whether there was no recent slow-down and several may run at once. */
  get isUnconstrained(): boolean {
    return this.#gap === 0 && this.limit > 1
  }

  get running(): number {
    return this.#running
  }

  /** About how many can be sent within a time; infinite before the first was. */
  countWithin(milliseconds: number): number {
    const latency = Number.isFinite(this.#bestLatency) ? this.#bestLatency : 0
    return Math.floor(milliseconds / Math.max(this.#gap, latency / this.#limit))
  }

  /** Milliseconds until the next may start; infinite until a running one ends. */
  delay(): number {
    if (this.#running >= this.limit) return Number.POSITIVE_INFINITY
    return Math.max(0, Math.max(this.#nextStartAt, this.waitUntil) - this.#now())
  }

  start(): number {
    const now = this.#now()
    this.#running += 1
    this.#nextStartAt = now + this.#gap
    if (!Number.isNaN(this.#lastStartedAt))
      this.#averageInterval = this.#averageInterval * 0.9 + Math.min(now - this.#lastStartedAt, 2_000) * 0.1
    this.#lastStartedAt = now
    return now
  }

  end({ kind, latency, startedAt, wait }: SendResult): void {
    this.#running -= 1
    if (kind === 'served') this.#speedUp(latency)
    else if (kind !== 'ignored') this.#slowDown(startedAt, kind === 'slow-down' ? wait : undefined)
  }

  #speedUp(latency: number): void {
    this.#failures = 0
    // Decays slowly, because an API may be slower by day.
    this.#bestLatency = Math.min(this.#bestLatency * 1.002, Math.max(latency, 1))
    this.#gap = this.#gap < 4 ? 0 : this.#gap * 0.98
    const isStrained = latency > Math.max(this.#bestLatency * 3, this.#bestLatency + 100)
    this.#limit = isStrained ? Math.max(1, this.#limit * 0.9) : Math.min(MAX_CONCURRENT, this.#limit + 1 / this.#limit)
  }

  #slowDown(startedAt: number, wait: number | undefined): void {
    const now = this.#now()
    this.waitUntil = Math.max(this.waitUntil, now + (wait ?? 0))
    // Those that started before the last cut met the same trouble.
    if (startedAt <= this.#lastCutAt) return
    this.#lastCutAt = now
    this.#failures += 1
    this.#limit = Math.max(1, this.#limit / 2)
    this.#gap = Math.min(MAX_GAP_MS, Math.max(this.#gap * 1.5, this.#averageInterval * 1.3, 20))
    const defaultPause = Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(this.#failures, 10))
    this.waitUntil = Math.max(this.waitUntil, now + (wait ?? defaultPause))
  }
}
