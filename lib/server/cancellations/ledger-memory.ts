import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limitConcurrency } from '../runtime/limits'

/** Limit for the worker's sends of interrupted and unknown cancellations; users' new requests do not queue here. */
const MAX_CONCURRENT_SENDS = 4

/** Counts concurrent work of one kind. */
class RunningCount {
  #count = 0
  readonly #onEnd: () => void

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  /** How many more may start if at most `limit` may run at once. */
  room(limit: number): number {
    return limit - this.#count
  }

  begin(count: number): void {
    this.#count += count
  }

  end(): void {
    this.#count -= 1
    this.#onEnd()
  }
}

/** Scheduling state of one ledger in this process; losing it does no harm. Times are ms of the ledger's clock. */
export class LedgerMemory {
  /** This process's id in leases. */
  readonly holder = randomUUID()
  /** Cancellations being read by filter. */
  readonly reads = new RunningCount(() => this.wake())
  /** Intents being resumed. */
  readonly resumes = new RunningCount(() => this.wake())
  /** Limits the worker's sends. */
  readonly send = limitConcurrency(MAX_CONCURRENT_SENDS, Number.POSITIVE_INFINITY)
  /** When each running worker last finished a pass, by performance.now(). */
  readonly passes = new Map<'ledger' | 'bulks', number>()

  /** Before this time, in ms, the upstream API is not asked again despite its hold. */
  looksAgainAt = 0

  readonly #submissions = new Map<string, Promise<unknown>>()
  readonly #listPollQueue = new Set<string>()
  #nextSlotAt = 0
  #heldUntil = 0
  #nextListPollAt = 0
  #listPoll: Promise<void> | null = null
  #stopping = new AbortController()
  #isWoken = false
  #waking = new AbortController()

  /** Serialises submissions of the same key: a double click waits for the first. */
  async submit<Result>(key: string, execute: () => Promise<Result>): Promise<Result> {
    while (this.#submissions.has(key)) await this.#submissions.get(key)
    const running = execute()
    const remove = () => this.#submissions.delete(key)
    this.#submissions.set(key, running.then(remove, remove))
    return running
  }

  /** Resolves when all current submissions are done. */
  async drain(): Promise<void> {
    await Promise.all(this.#submissions.values())
  }

  /**
   * Reserves the next slot for a list request and returns the delay until it, in ms; the slot after it comes `spacing`
   * later. Returns null, without a reservation, if the slot would not come before `until`.
   */
  reserveSlot({ now, until, spacing }: { now: number; until: number; spacing: number }): number | null {
    const slot = Math.max(now, this.#nextSlotAt)
    if (slot >= until) return null
    this.#nextSlotAt = slot + spacing
    return slot - now
  }

  /** The upstream API asked to slow down: no slot before `until`. */
  slowDown(until: number): void {
    this.#nextSlotAt = Math.max(this.#nextSlotAt, until)
  }

  /** The upstream API named the time before which it wants no request. */
  hold(until: number): void {
    this.slowDown(until)
    this.#heldUntil = Math.max(this.#heldUntil, until)
  }

  get heldUntil(): number {
    return this.#heldUntil
  }

  /** Ends the hold with this end, unless a longer one has come, and brings the next slot forward to this time. */
  endHold(until: number, nextSlotAt: number): void {
    if (this.#heldUntil !== until) return
    this.#heldUntil = 0
    this.#nextSlotAt = Math.min(this.#nextSlotAt, nextSlotAt)
  }

  /** Forgets a previous slowDown or hold. */
  endSlowDown(): void {
    this.#nextSlotAt = 0
    this.#heldUntil = 0
  }

  /** Whether a slot is free by this time. */
  hasSlotBy(time: number): boolean {
    return this.#nextSlotAt <= time
  }

  /** Cancellations whose payment a filter by id did not return: only the list can tell. */
  get listPollQueue(): ReadonlySet<string> {
    return this.#listPollQueue
  }

  queueForListPoll(cancellationId: string): void {
    this.#listPollQueue.add(cancellationId)
  }

  leaveListPollQueue(cancellationId: string): void {
    this.#listPollQueue.delete(cancellationId)
  }

  get isListPollRunning(): boolean {
    return this.#listPoll !== null
  }

  /**
   * Joins the running list poll or starts one; null during its cooldown. `poll` resolves to the earliest next
   * start and must not reject.
   */
  shareListPoll(now: number, poll: () => Promise<number>): Promise<void> | null {
    if (this.#listPoll) return this.#listPoll
    if (now < this.#nextListPollAt || this.isStopping) return null
    this.#listPoll = poll().then((nextListPollAt) => {
      this.#nextListPollAt = nextListPollAt
      this.#listPoll = null
      this.wake()
    })
    return this.#listPoll
  }

  /** The worker is stopping: its loop ends, and a list poll reads no further page. */
  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Aborted when the worker stops. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal
  }

  start(): void {
    this.#stopping = new AbortController()
  }

  stop(): void {
    this.#stopping.abort()
    this.#waking.abort()
  }

  /** Makes the worker run a pass now, or another one right after the current. */
  wake(): void {
    this.#isWoken = true
    this.#waking.abort()
  }

  /** Waits for `wake`, at most this long. */
  async nap(milliseconds: number): Promise<void> {
    this.#waking = new AbortController()
    // No AbortSignal.any with a long-lived signal: Node retains memory for each such wait.
    if (!this.#isWoken && !this.isStopping)
      await wait(milliseconds, undefined, { signal: this.#waking.signal }).catch(() => undefined)
    this.#isWoken = false
  }

  /** Like `nap`, but ignores an earlier `wake`: a failed pass is not retried at once. */
  rest(milliseconds: number): Promise<void> {
    this.#isWoken = false
    return this.nap(milliseconds)
  }
}
