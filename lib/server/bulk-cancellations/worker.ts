import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from '../cancellations/ledger'
import { runWorker, type Worker } from '../cancellations/worker'
import { inBackground } from '../runtime/request-context'
import { isForegroundBusy } from '../upstream/upstream-state'
import { changeBulk, finishBulks } from './change-bulk'
import { setBulkWait } from './queries'
import { RateLimiter, type Toll } from './rate-limiter'
import { type Claimed, findRunning, freeLeases, releaseRows, RowQueue } from './row-queue'
import { classifyReadError, classifyStoreError, sendRow, type Turn } from './send-row'
import { resumeStarts } from './start-intents'

/** `stop` lets what was begun come to its end. */
export type BulkRunner = { stop: () => Promise<void> }

const idleNap = 400
/** How often it is looked for bulks of which a desk has not come to the end of the start. */
const lookForStartsEvery = 2_000
const longestNap = 250
const napAfterTrouble = 5_000
/** Pages that somebody waits for come first, but a bulk always goes on, at least one payment after the other. */
const yieldFor = 30
/** A look at a bulk's state, and at what its author may do, is good for so long. */
const stateLives = 200
/** After so many refusals in a row the rest would be refused too. */
const mostRefusals = 5

class Running {
  readonly #ledger: Ledger
  readonly #queue: RowQueue
  readonly #tasks = new Set<Promise<void>>()
  readonly #states = new Map<string, { at: number; isRunning: boolean }>()
  readonly #pace: RateLimiter
  #wake = () => {}
  #isStopping = false
  #restUntil = 0
  #finishedAt = 0
  #lookedForStartsAt = Number.NEGATIVE_INFINITY
  #isResumingStarts = false
  #refusals = 0

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#queue = new RowQueue(ledger)
    this.#pace = new RateLimiter(() => this.#now())
  }

  #now(): number {
    return this.#ledger.clock.now().getTime()
  }

  async loop(): Promise<void> {
    while (!this.#isStopping) {
      let nap = longestNap
      try {
        nap = await this.#advance()
        this.#ledger.memory.passes.set('bulks', performance.now())
      } catch (error) {
        await this.#meetTrouble(error)
      }
      if (nap > 0) await this.#nap(nap)
    }
    this.#ledger.memory.passes.delete('bulks')
    await Promise.all(this.#tasks)
    await this.#queue.giveBack().catch(() => undefined)
    setBulkWait(this.#ledger, null)
  }

  stop(): void {
    this.#isStopping = true
    this.#wake()
  }

  async #nap(milliseconds: number): Promise<void> {
    if (this.#isStopping) return
    // Not with AbortSignal.any and a signal that lasts: Node keeps something of each such wait at that.
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    await wait(milliseconds, undefined, { signal: waking.signal }).catch(() => undefined)
  }

  /** Begins the next row if it may begin; answers how long to wait before the next look. */
  async #advance(): Promise<number> {
    const rest = this.#restUntil - this.#now()
    if (rest > 0) return Math.min(rest, longestNap)
    this.#lookForStarts()
    const delay = this.#pace.delay()
    if (delay > 0) return Math.min(delay, longestNap)
    if (this.#pace.running > 0 && isForegroundBusy(this.#ledger.connectionId)) return yieldFor
    const next = this.#queue.take()
    if (next) {
      this.#begin(next)
      if (this.#pace.isEasy && this.#queue.size < this.#pace.limit) this.#refillAhead()
      return 0
    }
    await this.#queue.refill(this.#pace.limit * 2)
    if (this.#queue.size > 0) return 0
    if (this.#now() - this.#finishedAt > idleNap) {
      await finishBulks(this.#ledger)
      this.#finishedAt = this.#now()
    }
    if (this.#pace.running === 0 && this.#pace.waitUntil <= this.#now()) setBulkWait(this.#ledger, null)
    return idleNap
  }

  /** In the background: the bulks that run are not kept waiting, nor by one that cannot be started. */
  #lookForStarts(): void {
    // Of one owner's work the desk looks for all of them, whoever is signed in (see worker.ts).
    if (this.#ledger.ownerId !== undefined || this.#isResumingStarts) return
    if (this.#now() - this.#lookedForStartsAt < lookForStartsEvery) return
    this.#isResumingStarts = true
    const task = resumeStarts(this.#ledger)
      .catch((error: unknown) => this.#ledger.report('bulk-start-interrupted', { error }))
      .finally(() => {
        this.#lookedForStartsAt = this.#now()
        this.#isResumingStarts = false
        this.#tasks.delete(task)
        this.#wake()
      })
    this.#tasks.add(task)
  }

  /** In the background: those that are being sent are not kept waiting. */
  #refillAhead(): void {
    this.#queue.refillAhead(this.#pace.limit * 2).catch((error: unknown) => this.#meetTrouble(error))
  }

  #begin(claimed: Claimed): void {
    const began = this.#pace.begin()
    const task = this.#carryOut(claimed, began).finally(() => {
      this.#tasks.delete(task)
      this.#wake()
    })
    this.#tasks.add(task)
  }

  async #carryOut({ row, read }: Claimed, began: number): Promise<void> {
    let toll: Pick<Toll, 'kind' | 'wait'> | null = null
    try {
      const turn = await sendRow(this.#ledger, row, { read, isRunning: () => this.#isRunning(row.bulkId ?? '') })
      toll = this.#judge(turn)
      if (turn.kind === 'unread') await releaseRows(this.#ledger, [row], this.#ledger.rules.readEvery)
      if (turn.kind === 'held') await this.#giveBack(row)
      if (turn.kind === 'refused' && this.#refusals >= mostRefusals) await this.#pause(row.bulkId ?? '')
    } catch (error) {
      await this.#meetTrouble(error)
    } finally {
      this.#pace.end({ ...(toll ?? { kind: 'aside' }), began, latency: this.#now() - began })
      this.#tell(toll)
    }
  }

  #judge(turn: Turn): Pick<Toll, 'kind' | 'wait'> & { code?: string } {
    this.#refusals = turn.kind === 'refused' ? this.#refusals + 1 : turn.kind === 'done' ? 0 : this.#refusals
    if (turn.kind === 'held') return { kind: 'aside' }
    if (turn.kind === 'slow-down') return { kind: 'slow-down', wait: turn.wait, code: 'slow-down' }
    if (turn.kind === 'unsent') return { kind: 'failed', code: turn.why }
    if (turn.kind !== 'unread') return { kind: 'served' }
    return { kind: turn.isSlowDown ? 'slow-down' : 'failed', code: classifyReadError(turn.why) }
  }

  #tell(toll: (Pick<Toll, 'kind'> & { code?: string }) | null): void {
    if (toll?.kind === 'served') setBulkWait(this.#ledger, null)
    if (toll?.code) setBulkWait(this.#ledger, { code: toll.code, until: new Date(this.#pace.waitUntil).toISOString() })
  }

  /** Nothing more is begun until the store works again; what was taken lapses by itself. */
  async #meetTrouble(trouble: unknown): Promise<void> {
    this.#ledger.report('bulk-interrupted', { error: trouble })
    this.#restUntil = this.#now() + napAfterTrouble
    const until = new Date(this.#restUntil).toISOString()
    setBulkWait(this.#ledger, { code: classifyStoreError(trouble), until })
    await this.#queue.giveBack().catch(() => undefined)
  }

  async #isRunning(bulkId: string): Promise<boolean> {
    const known = this.#states.get(bulkId)
    if (known && this.#now() - known.at < stateLives) return known.isRunning
    const at = this.#now()
    const running = await findRunning(this.#ledger)
    const isRunning = running.some(({ bulk, mayGoOn }) => bulk.id === bulkId && mayGoOn)
    this.#states.set(bulkId, { at, isRunning })
    return isRunning
  }

  async #giveBack(row: Claimed['row']): Promise<void> {
    await releaseRows(this.#ledger, [row])
    await this.#queue.giveBack(row.bulkId ?? '')
  }

  async #pause(bulkId: string): Promise<void> {
    this.#refusals = 0
    await changeBulk(this.#ledger, bulkId, { action: 'pause', actor: 'desk', problem: 'refused' }).catch(
      () => undefined,
    )
    await this.#queue.giveBack(bulkId)
  }
}

/**
 * Carries out the bulks of a connection, those that an earlier process began too, until stopped: each payment is
 * an ordinary cancellation of the ledger, sent as fast as the service allows. Throws what the store throws at the start.
 */
export async function runBulks(ledger: Ledger): Promise<BulkRunner> {
  ledger.memory.passes.set('bulks', performance.now())
  await freeLeases(ledger)
  const running = new Running(ledger)
  const ended = inBackground(() => running.loop())
  return {
    stop: async () => {
      running.stop()
      await ended
    },
  }
}

/** Everything that works on a connection's cancellations by itself: the ledger's worker and the bulks. Throws what the store throws. */
export async function runWorkers(ledger: Ledger): Promise<Worker> {
  const worker = await runWorker(ledger)
  const bulks = await runBulks(ledger).catch(async (error: unknown) => {
    await worker.stop()
    throw error
  })
  return { stop: async () => void (await Promise.all([worker.stop(), bulks.stop()])) }
}
