import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limitConcurrency } from '../runtime/limits'

/** How many interrupted or unknown cancellations are sent at once; those that people ask for now do not wait here. */
const sendsAtOnce = 4

/** Work of one kind that is under way at the same time. */
class Running {
  #count = 0
  readonly #onEnd: () => void

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** How many more may begin where at most `most` may be under way. */
  room(most: number): number {
    return most - this.#count
  }

  begin(count: number): void {
    this.#count += count
  }

  /** One has ended. */
  end(): void {
    this.#count -= 1
    this.#onEnd()
  }
}

/**
 * What one process remembers of a connection's ledger, and by which it decides what is begun when; lost at its end
 * without harm. Moments are in milliseconds of the ledger's clock.
 */
export class LedgerMemory {
  /** Names this process in leases. */
  readonly holder = randomUUID()
  /** Cancellations that are being read by a filter. */
  readonly reads = new Running(() => this.wake())
  /** Intents that are being taken up again. */
  readonly resumes = new Running(() => this.wake())
  /** Through here goes what the worker sends. */
  readonly send = limitConcurrency(sendsAtOnce, Number.POSITIVE_INFINITY)
  /** When each of its workers that are running last finished a pass, in milliseconds of performance.now(). */
  readonly passes = new Map<'ledger' | 'bulks', number>()

  readonly #submissions = new Map<string, Promise<unknown>>()
  readonly #walkQueue = new Set<string>()
  #nextReadAt = 0
  #nextWalkAt = 0
  #walk: Promise<void> | null = null
  #isStopping = false
  #isWoken = false
  #waking = new AbortController()

  /** Carries out a submission of the browser's key: a double click waits for its first. */
  async submit<Result>(key: string, carryOut: () => Promise<Result>): Promise<Result> {
    while (this.#submissions.has(key)) await this.#submissions.get(key)
    const running = carryOut()
    const forget = () => this.#submissions.delete(key)
    this.#submissions.set(key, running.then(forget, forget))
    return running
  }

  /** Resolves when the submissions of this moment are carried out. */
  async drain(): Promise<void> {
    await Promise.all(this.#submissions.values())
  }

  /**
   * Takes the next turn to read a list: answers how long to wait for it. The turn after it comes `spacing` later. Null,
   * and no turn is taken, where it would not come before `until`.
   */
  takeTurn({ now, until, spacing }: { now: number; until: number; spacing: number }): number | null {
    const turn = Math.max(now, this.#nextReadAt)
    if (turn >= until) return null
    this.#nextReadAt = turn + spacing
    return turn - now
  }

  /** The service asked to slow down: no turn comes before `until`. */
  slowDown(until: number): void {
    this.#nextReadAt = Math.max(this.#nextReadAt, until)
  }

  /** Forgets that the service asked to slow down. */
  endSlowDown(): void {
    this.#nextReadAt = 0
  }

  /** Whether a turn to read comes by this moment. */
  hasTurnBy(moment: number): boolean {
    return this.#nextReadAt <= moment
  }

  /** Cancellations whose payment a filter by its id did not bring: only a walk can tell. */
  get walkQueue(): ReadonlySet<string> {
    return this.#walkQueue
  }

  queueForWalk(cancellationId: string): void {
    this.#walkQueue.add(cancellationId)
  }

  leaveWalkQueue(cancellationId: string): void {
    this.#walkQueue.delete(cancellationId)
  }

  get isWalking(): boolean {
    return this.#walk !== null
  }

  /**
   * Joins the shared walk of the list that is under way, or begins one; null while it rests. `walk` answers when the
   * next may begin, and never rejects.
   */
  shareWalk(now: number, walk: () => Promise<number>): Promise<void> | null {
    if (this.#walk) return this.#walk
    if (now < this.#nextWalkAt || this.#isStopping) return null
    this.#walk = walk().then((nextWalkAt) => {
      this.#nextWalkAt = nextWalkAt
      this.#walk = null
      this.wake()
    })
    return this.#walk
  }

  /** The worker is to end: its loop is left, and a walk goes no page further. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  start(): void {
    this.#isStopping = false
  }

  stop(): void {
    this.#isStopping = true
    this.#waking.abort()
  }

  /** Has the worker look at once, or at once again when it has looked. */
  wake(): void {
    this.#isWoken = true
    this.#waking.abort()
  }

  /** Waits for the worker's next look, at most so long. */
  async nap(milliseconds: number): Promise<void> {
    this.#waking = new AbortController()
    // Not with AbortSignal.any and a signal that lasts: Node keeps something of each such wait at that.
    if (!this.#isWoken && !this.#isStopping)
      await wait(milliseconds, undefined, { signal: this.#waking.signal }).catch(() => undefined)
    this.#isWoken = false
  }

  /** As `nap`, whatever was to be looked at: after a failure there is no hurry. */
  rest(milliseconds: number): Promise<void> {
    this.#isWoken = false
    return this.nap(milliseconds)
  }
}
