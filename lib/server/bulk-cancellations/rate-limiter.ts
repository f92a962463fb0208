/** What one payment cost: how long the service took, and whether it asked to slow down or failed; `aside` says nothing of it. */
export type Toll = {
  kind: 'served' | 'slow-down' | 'failed' | 'aside'
  /** Milliseconds. */
  latency: number
  /** When it began, by the same clock as the pace. */
  began: number
  /** Milliseconds to wait, where the service said so. */
  wait?: number
}

const most = 8
const longestGap = 5_000
const longestWait = 30_000

/**
 * How fast a bulk goes: up to eight at once at a quick service, one more for each round that went well; fewer as
 * soon as the service takes three times as long as at its best; half as many, further apart and after a wait when
 * it asks to slow down. Times in milliseconds of any clock that only goes forward.
 */
export class RateLimiter {
  readonly #now: () => number
  #limit = 2
  #running = 0
  /** The least time between two beginnings. */
  #gap = 0
  #nextAt = 0
  #best = Number.POSITIVE_INFINITY
  #cutAt = Number.NEGATIVE_INFINITY
  #troubles = 0
  #lastBegan = Number.NaN
  #usual = 0
  waitUntil = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many may be under way at once. */
  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** Whether nothing has asked to slow down of late, and several may be under way. */
  get isEasy(): boolean {
    return this.#gap === 0 && this.limit > 1
  }

  get running(): number {
    return this.#running
  }

  /** Milliseconds until the next may begin; endless until one of those under way has ended. */
  delay(): number {
    if (this.#running >= this.limit) return Number.POSITIVE_INFINITY
    return Math.max(0, Math.max(this.#nextAt, this.waitUntil) - this.#now())
  }

  begin(): number {
    const now = this.#now()
    this.#running += 1
    this.#nextAt = now + this.#gap
    if (!Number.isNaN(this.#lastBegan)) this.#usual = this.#usual * 0.9 + Math.min(now - this.#lastBegan, 2_000) * 0.1
    this.#lastBegan = now
    return now
  }

  end({ kind, latency, began, wait }: Toll): void {
    this.#running -= 1
    if (kind === 'served') this.#speedUp(latency)
    else if (kind !== 'aside') this.#slowDown(began, kind === 'slow-down' ? wait : undefined)
  }

  #speedUp(latency: number): void {
    this.#troubles = 0
    // Slowly forgotten, for a service may be slower by day.
    this.#best = Math.min(this.#best * 1.002, Math.max(latency, 1))
    this.#gap = this.#gap < 4 ? 0 : this.#gap * 0.98
    const isStrained = latency > Math.max(this.#best * 3, this.#best + 100)
    this.#limit = isStrained ? Math.max(1, this.#limit * 0.9) : Math.min(most, this.#limit + 1 / this.#limit)
  }

  #slowDown(began: number, wait: number | undefined): void {
    const now = this.#now()
    this.waitUntil = Math.max(this.waitUntil, now + (wait ?? 0))
    // Those that began before the last cut were answered by the same trouble.
    if (began <= this.#cutAt) return
    this.#cutAt = now
    this.#troubles += 1
    this.#limit = Math.max(1, this.#limit / 2)
    this.#gap = Math.min(longestGap, Math.max(this.#gap * 1.5, this.#usual * 1.3, 20))
    const unsaid = Math.min(longestWait, 500 * 2 ** Math.min(this.#troubles, 10))
    this.waitUntil = Math.max(this.waitUntil, now + (wait ?? unsaid))
  }
}
