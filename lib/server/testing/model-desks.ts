import type { ListCapabilities } from '../capabilities/list-capabilities'
import type { Ledger, Step } from '../cancellations/ledger'
import { makeLedgerClock } from '../cancellations/ledger-clock'
import { recover } from '../cancellations/recover'
import { Failure } from '../failure'
import type { LedgerBench } from './ledger-bench'
import { forgetCapabilities, makeTestLedger, shiftStoreClock } from './test-ledger'

/** How a process stops at a step: for good, or until it is woken; where it sleeps, its own clocks stand still. */
export type Halt = { step: Step; how: 'die' | 'pause' | 'sleep' }

/** A desk: a process, and how many milliseconds its clocks are ahead of the store's. */
type Desk = {
  ledger: Ledger
  clock: { ahead: number }
  paused: Paused | null
}

/** What is left to do at a desk, and which payments have changed since it was paused. */
type Paused = { halt: Halt; changed: Set<string>; wake: () => void; work: Promise<void> }

/** Here the payment has been read already: no service offers a DELETE for a payment as it was read. */
const stepsAfterReading: readonly Step[] = ['during-read', 'after-sending', 'before-resend']

export const modelRules = { grace: 15_000, readEvery: 1_000, listEvery: 0, personAfter: 14 * 60_000, lease: 30_000 }

/**
 * The desks of a run, on one store, whose processes may die or be paused at any step. Time is shifted, never waited for:
 * the store's is one, each desk's is ahead of it or behind.
 */
export class ModelDesks {
  readonly #desks: readonly Desk[]
  readonly #capabilities: ListCapabilities
  #ahead = 0
  /** The payments that have changed while a desk was paused that is now woken. */
  changed: ReadonlySet<string> = new Set()

  constructor(
    readonly bench: LedgerBench,
    skews: readonly number[],
    /** What is wrong with the desks, where a test wants to see that it is found out. */
    readonly spoil: (ledger: Ledger) => Ledger = (ledger) => ledger,
  ) {
    this.#capabilities = forgetCapabilities(bench.store)
    this.#desks = skews.map((ahead) => {
      const clock = { ahead }
      return { ledger: this.#make(clock), clock, paused: null }
    })
  }

  /** The store's time. */
  now(): number {
    return Date.now() + this.#ahead
  }

  /** A process that remembers nothing. */
  #make(own: Desk['clock']): Ledger {
    const clock = makeLedgerClock(this.bench.store.clock)
    const shift = (moment: Date) => new Date(moment.getTime() + this.#ahead + own.ahead)
    return this.spoil(
      makeTestLedger(this.bench.store, this.bench.service.url, {
        rules: modelRules,
        parts: {
          isAlone: false,
          capabilities: this.#capabilities,
          clock: {
            now: () => shift(clock.now()),
            wall: () => shift(clock.wall()),
            host: () => shift(clock.host()),
            store: shiftStoreClock(clock.store, () => this.#ahead),
          },
        },
      }),
    )
  }

  #desk(index: number): Desk {
    const desk = this.#desks[index % this.#desks.length]
    if (!desk) throw new Error('there is no such desk')
    return desk
  }

  /** Time goes on by so many milliseconds. */
  pass(milliseconds: number): void {
    this.#ahead += milliseconds
    // Its own pauses are real ones.
    for (const { ledger, clock, paused } of this.#desks) {
      ledger.memory.endSlowDown()
      if (paused?.halt.how === 'sleep') clock.ahead -= milliseconds
    }
  }

  /**
   * Does something at a desk; nothing where that is paused. Where its process dies on the way, another takes its place;
   * where it is paused, the rest is done when it is woken. A Failure is an answer like any other.
   */
  async live(index: number, work: (ledger: Ledger) => Promise<unknown>, halt?: Halt): Promise<void> {
    const desk = this.#desk(index)
    if (desk.paused) return
    let stop: (how: Halt['how']) => void = () => undefined
    const stopped = new Promise<Halt['how']>((resolve) => {
      stop = resolve
    })
    let wake: () => void = () => undefined
    let isHalted = false
    const step = async (name: Step) => {
      if (name !== halt?.step || isHalted) return
      isHalted = true
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      stop(halt.how)
      await woken
    }
    const done = work({ ...desk.ledger, step }).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error
      },
    )
    const how = await Promise.race([done, stopped])
    if (how === 'die') await this.restart(index)
    else if (halt && how) desk.paused = { halt, changed: new Set(), wake, work: done }
  }

  /** A paused process goes on, and does what it was at. */
  async wake(index: number): Promise<void> {
    const desk = this.#desk(index)
    const { paused } = desk
    desk.paused = null
    if (!paused) return
    if (stepsAfterReading.includes(paused.halt.step)) this.changed = paused.changed
    paused.wake()
    await paused.work
    this.changed = new Set()
  }

  /** A payment changes at the service. */
  noteChange(paymentId: string): void {
    for (const { paused } of this.#desks) paused?.changed.add(paymentId)
  }

  /** A process dies, paused or not, and another takes its place, its clocks as far apart as they were. */
  async restart(index: number): Promise<void> {
    const desk = this.#desk(index)
    desk.ledger = this.#make(desk.clock)
    desk.paused = null
    await recover(desk.ledger)
  }
}
