import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from '../cancellations/ledger'
import { runWorker, type Worker } from '../cancellations/worker'
import { inBackground } from '../runtime/request-context'
import { isForegroundBusy } from '../upstream/upstream-state'
import { expireApprovals } from './approve-bulk'
import { changeBulk, finishBulks } from './change-bulk'
import { setBulkWait } from './queries'
import { RateLimiter, type SendResult } from './rate-limiter'
import { freeLeases, releaseRows } from './row-leases'
import { type ClaimedRow, findRunningBulks, RowQueue } from './row-queue'
import { classifyReadError, classifyStoreError, sendRow, type RowResult } from './send-row'
import { resumeStarts } from './start-intents'

/** Resolves when all started work has ended. */
export type BulkRunner = { stop: () => Promise<void> }

const IDLE_PAUSE_MS = 400
/** Interval between looks for interrupted starts, and for what has ended while rows are queued. */
const CHECK_INTERVAL_MS = 2_000
const MAX_PAUSE_MS = 250
const PAUSE_AFTER_FAILURE_MS = 5_000
/** Requests of waiting users come first, but a bulk always sends at least one payment at a time. */
const YIELD_MS = 30
/** How long a bulk's state and its author's permission are cached. */
const STATE_CACHE_MS = 200
/** After this many refusals in a row the bulk is paused. */
const MAX_REFUSALS = 5

/** Work that is due an interval after its last end. */
type Check = { endedAt: number; isRunning: boolean }

class BulkLoop {
  readonly #ledger: Ledger
  readonly #queue: RowQueue
  readonly #tasks = new Set<Promise<void>>()
  readonly #states = new Map<string, { at: number; isRunning: boolean }>()
  readonly #limiter: RateLimiter
  #wake = () => {}
  #isStopping = false
  #pausedUntil = 0
  readonly #starts: Check = { endedAt: Number.NEGATIVE_INFINITY, isRunning: false }
  readonly #ends: Check = { endedAt: Number.NEGATIVE_INFINITY, isRunning: false }
  #areEndsFailing = false
  #refusals = 0

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#queue = new RowQueue(ledger, {
      onQueued: () => this.#wake(),
      onFailure: (error) => void this.#handleFailure(error),
      countWithin: (milliseconds) => this.#limiter.countWithin(milliseconds),
      isSending: () => this.#limiter.running > 0,
    })
    this.#limiter = new RateLimiter(() => this.#now())
  }

  #now(): number {
    return this.#ledger.clock.now().getTime()
  }

  async loop(): Promise<void> {
    while (!this.#isStopping) {
      const remaining = this.#pausedUntil - this.#now()
      if (remaining > 0) {
        // No pass: where every one fails, the worker is not alive.
        await this.#sleep(Math.min(remaining, MAX_PAUSE_MS))
        continue
      }
      let pause = MAX_PAUSE_MS
      try {
        pause = await this.#advance()
        this.#ledger.memory.passes.set('bulks', performance.now())
      } catch (error) {
        await this.#handleFailure(error)
      }
      if (pause > 0) await this.#sleep(pause)
    }
    this.#ledger.memory.passes.delete('bulks')
    await Promise.all([...this.#tasks, this.#queue.close().catch(() => undefined)])
    setBulkWait(this.#ledger, null)
  }

  stop(): void {
    this.#isStopping = true
    this.#wake()
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (this.#isStopping) return
    // No AbortSignal.any with a long-lived signal: Node retains memory for each such wait.
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    await wait(milliseconds, undefined, { signal: waking.signal }).catch(() => undefined)
  }

  /** Starts the next row if the rate limiter allows; returns the ms until the next look. */
  async #advance(): Promise<number> {
    this.#resumeStarts()
    this.#endBulks()
    const delay = this.#limiter.delay()
    if (delay > 0) return Math.min(delay, MAX_PAUSE_MS)
    if (this.#limiter.running > 0 && isForegroundBusy(this.#ledger.connectionId)) return YIELD_MS
    const next = this.#queue.take()
    if (next) {
      this.#start(next)
      if (this.#limiter.isUnconstrained && this.#queue.size < this.#limiter.limit) this.#refillAhead()
      return 0
    }
    await this.#queue.refill(this.#limiter.limit * 2)
    if (this.#queue.size > 0) return 0
    if (this.#limiter.running === 0 && this.#limiter.waitUntil <= this.#now()) setBulkWait(this.#ledger, null)
    return IDLE_PAUSE_MS
  }

  /** In the background, so that work that hangs or fails delays no running bulk. */
  #runIfDue(check: Check, interval: number, work: () => Promise<void>): void {
    if (check.isRunning || this.#now() - check.endedAt < interval) return
    check.isRunning = true
    const task = work().finally(() => {
      check.endedAt = this.#now()
      check.isRunning = false
      this.#tasks.delete(task)
      this.#wake()
    })
    this.#tasks.add(task)
  }

  #resumeStarts(): void {
    // The ledger without an owner does this for all owners, signed in or not.
    if (this.#ledger.ownerId !== undefined) return
    this.#runIfDue(this.#starts, CHECK_INTERVAL_MS, () =>
      resumeStarts(this.#ledger).catch((error: unknown) => this.#ledger.report('bulk-start-interrupted', { error })),
    )
  }

  /** Whatever else is queued: one bulk may have rows for hours. */
  #endBulks(): void {
    const interval = this.#queue.size > 0 ? CHECK_INTERVAL_MS : IDLE_PAUSE_MS
    this.#runIfDue(this.#ends, this.#areEndsFailing ? PAUSE_AFTER_FAILURE_MS : interval, async () => {
      try {
        const areDone = [await finishBulks(this.#ledger), await expireApprovals(this.#ledger)]
        this.#areEndsFailing = areDone.includes(false)
      } catch (error) {
        await this.#handleFailure(error)
      }
    })
  }

  /** In the background, to delay no send. */
  #refillAhead(): void {
    this.#queue.refillAhead(this.#limiter.limit * 2).catch((error: unknown) => this.#handleFailure(error))
  }

  #start(claimed: ClaimedRow): void {
    const startedAt = this.#limiter.start()
    const task = this.#process(claimed, startedAt).finally(() => {
      this.#tasks.delete(task)
      this.#wake()
    })
    this.#tasks.add(task)
  }

  async #process({ row, read }: ClaimedRow, startedAt: number): Promise<void> {
    let cost: Pick<SendResult, 'kind' | 'wait'> | null = null
    try {
      const result = await sendRow(this.#ledger, row, { read, isRunning: () => this.#isRunning(row.bulkId ?? '') })
      cost = this.#classify(result)
      if (result.kind === 'unread') await releaseRows(this.#ledger, [row], this.#ledger.rules.pollIntervalMs)
      if (result.kind === 'requeue') await releaseRows(this.#ledger, [row])
      if (result.kind === 'held') await this.#release(row)
      if (result.kind === 'refused' && this.#refusals >= MAX_REFUSALS) await this.#pause(row.bulkId ?? '')
    } catch (error) {
      await this.#handleFailure(error)
    } finally {
      this.#limiter.end({ ...(cost ?? { kind: 'ignored' }), startedAt, latency: this.#now() - startedAt })
      this.#showWait(cost)
    }
  }

  #classify(result: RowResult): Pick<SendResult, 'kind' | 'wait'> & { code?: string } {
    this.#refusals = result.kind === 'refused' ? this.#refusals + 1 : result.kind === 'done' ? 0 : this.#refusals
    if (result.kind === 'held' || result.kind === 'requeue') return { kind: 'ignored' }
    if (result.kind === 'slow-down') return { kind: 'slow-down', wait: result.wait, code: 'slow-down' }
    if (result.kind === 'unsent') return { kind: 'failed', code: result.why }
    if (result.kind !== 'unread') return { kind: 'served' }
    const { wait, why, isSlowDown } = result
    return {
      kind: isSlowDown ? 'slow-down' : 'failed',
      code: classifyReadError(why),
      ...(wait !== undefined && { wait }),
    }
  }

  #showWait(cost: (Pick<SendResult, 'kind'> & { code?: string }) | null): void {
    if (cost?.kind === 'served') setBulkWait(this.#ledger, null)
    if (cost?.code)
      setBulkWait(this.#ledger, { code: cost.code, until: new Date(this.#limiter.waitUntil).toISOString() })
  }

  /** Starts nothing until the store has had time to recover; leases expire by themselves. */
  async #handleFailure(failure: unknown): Promise<void> {
    this.#ledger.report('bulk-interrupted', { error: failure })
    this.#pausedUntil = this.#now() + PAUSE_AFTER_FAILURE_MS
    const until = new Date(this.#pausedUntil).toISOString()
    setBulkWait(this.#ledger, { code: classifyStoreError(failure), until })
    await this.#queue.release().catch(() => undefined)
  }

  async #isRunning(bulkId: string): Promise<boolean> {
    const cached = this.#states.get(bulkId)
    if (cached && this.#now() - cached.at < STATE_CACHE_MS) return cached.isRunning
    const at = this.#now()
    const running = await findRunningBulks(this.#ledger)
    const isRunning = running.some(({ bulk, problem }) => bulk.id === bulkId && problem === null)
    this.#states.set(bulkId, { at, isRunning })
    return isRunning
  }

  async #release(row: ClaimedRow['row']): Promise<void> {
    await releaseRows(this.#ledger, [row])
    await this.#queue.release(row.bulkId ?? '')
  }

  async #pause(bulkId: string): Promise<void> {
    this.#refusals = 0
    await changeBulk(this.#ledger, bulkId, { action: 'pause', actor: 'desk', problem: 'refused' }).catch(
      () => undefined,
    )
    await this.#queue.release(bulkId)
  }
}

/**
 * Runs the bulks of a connection, including those of earlier processes, until stopped. Each payment is an ordinary
 * cancellation of the ledger, sent as fast as the upstream API allows.
 */
export async function runBulks(ledger: Ledger): Promise<BulkRunner> {
  ledger.memory.passes.set('bulks', performance.now())
  await freeLeases(ledger)
  const running = new BulkLoop(ledger)
  const ended = inBackground(() => running.loop())
  return {
    stop: async () => {
      running.stop()
      await ended
    },
  }
}

/** Starts the ledger's worker and the bulk runner of a connection. */
export async function runWorkers(ledger: Ledger): Promise<Worker> {
  const worker = await runWorker(ledger)
  const bulks = await runBulks(ledger).catch(async (error: unknown) => {
    await worker.stop()
    throw error
  })
  return { stop: async () => void (await Promise.all([worker.stop(), bulks.stop()])) }
}
