import { setTimeout as wait } from 'node:timers/promises'
import { within } from '@/lib/database/testing/within'
import type { Step } from '../../cancellations/ledger'
import { type PaymentLedgerService, startPaymentLedgerService } from '../payment-ledger-service'
import type { NemesisMessage } from './nemesis-desk'
import {
  NemesisDesks,
  type NemesisProcess,
  nemesisRules,
  type NemesisStore,
  openFolder,
  openSharedPostgres,
} from './nemesis-desks'
import { NemesisFaults } from './nemesis-faults'
import { findViolations } from './nemesis-judge'
import { NemesisPeople } from './nemesis-people'

/** mulberry32: the same seed yields the same actions, replies and times. */
export function makeRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The violations, and counts of what happened. */
export type NemesisReport = {
  kills: Map<string, number>
  faults: Map<string, number>
  payments: number
  bulkRows: number
  deletes: number
  cancelled: number
  told: number
  /** Cancellations left to people. */
  leftToPeople: number
  /** Milliseconds from the end of the faults until everything was closed. */
  settledIn: number
  violations: string[]
}

/** Failpoints F1 to F9, by the step at which the process dies; in F4 the service kills it when the DELETE arrives. */
const failpoints: readonly [name: string, step: Step | 'delete' | 'any'][] = [
  ['F1 before the intent', 'before-intent'],
  ['F2 after the intent', 'after-intent'],
  ['F3 after sending is committed', 'after-sending'],
  ['F4 after the request is written', 'delete'],
  ['F5 after the reply', 'after-reply'],
  ['F6 after the outcome', 'after-outcome'],
  ['F7 while it is read', 'during-read'],
  ['F8 before it is sent again', 'before-resend'],
  ['F9 during recovery', 'during-recovery'],
  ['at random', 'any'],
]
/** Not targeted: results from desks under a starter that are killed from outside. */
const ofStarter = 'of its starter alone'
export const killNames = [...failpoints.map(([name]) => name), ofStarter]

const ACTIONS_PER_ROUND = 6
/** How long to wait for a process to kill itself. */
const HALT_TIMEOUT_MS = 8_000
/** For closing everything in the end; longer than the longest lease and `reviewDeadlineMs`. */
const SETTLE_TIMEOUT_MS = 300_000

/**
 * A store and a service, and between them a desk, or several on one Postgres, that are killed repeatedly during mixed
 * work. On a shared store they are also paused, their clocks differ, and their connections break.
 */
export class NemesisLane {
  readonly #kills = new Map<string, number>()
  readonly #desks: NemesisDesks
  readonly #people: NemesisPeople
  readonly #faults: NemesisFaults
  #settled: Extract<NemesisMessage, { kind: 'settled' }> | undefined

  private constructor(
    readonly store: NemesisStore,
    readonly service: PaymentLedgerService,
    readonly random: () => number,
  ) {
    const hear = (word: NemesisMessage, life: NemesisProcess) => this.#receive(word, life)
    this.#desks = new NemesisDesks(store.paths, service.url, random, hear)
    this.#people = new NemesisPeople(service, random)
    const forgetCapabilities = () => void store.forgetCapabilities()
    this.#faults = new NemesisFaults(service, random, { lease: nemesisRules.leaseMs, forgetCapabilities })
  }

  /** With several desks on one Postgres, or one on a folder. */
  static async start(desks: number, random: () => number): Promise<NemesisLane> {
    const store = desks === 1 ? await openFolder() : await openSharedPostgres(desks)
    return new NemesisLane(store, await startPaymentLedgerService(), random)
  }

  get kills(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0)
  }

  #receive(word: NemesisMessage, life: NemesisProcess): void {
    if (word.kind === 'settled') this.#settled = word
    else if (word.kind === 'halting') this.#faults.pause(life)
    else this.#people.receive(word)
  }

  #count(name: string): void {
    this.#kills.set(name, (this.#kills.get(name) ?? 0) + 1)
  }

  /** Counts the killed processes among these. */
  #countDead(lives: readonly NemesisProcess[], name: string): void {
    for (const { killed, hasStarter } of lives) {
      if (killed === 'halt') this.#count(name)
      else if (killed === 'outside') this.#count(hasStarter ? ofStarter : 'at random')
    }
  }

  async #work(desks: readonly NemesisProcess[]): Promise<void> {
    this.service.cancelDelay = this.random() < 0.5 ? 0 : 100
    if (this.random() < 0.2) this.#people.startBulk(this.#people.pick(desks))
    for (let single = 0; single < ACTIONS_PER_ROUND; single += 1) {
      this.#people.act(desks)
      if (this.random() < 0.3) await wait(this.random() * 300)
    }
    this.#people.settleSome()
  }

  /** Causes at least one death, at the least used failpoint if it is reached in time, else at random. */
  async killOnce(): Promise<void> {
    const times = failpoints.map(([name]) => this.#kills.get(name) ?? 0)
    const [name, step] = failpoints[times.indexOf(Math.min(...times))] ?? ['at random', 'any']
    const desks = this.#desks
    await desks.raise(this.random() < 0.5 ? 'all' : 'one')
    const lives = desks.living
    if (lives.length === 0) return
    if (desks.areSeveral) this.#faults.disturb(desks.places)
    if (step === 'during-recovery') return this.#killRecovering(name)
    if (step === 'delete') return this.#killAtDelete(name, lives)
    if (step !== 'any') {
      const time = 1 + Math.floor(this.random() * 3)
      for (const life of lives) life.order({ kind: 'halt', halt: { step, time, signal: 'SIGKILL' } })
    }
    await this.#work(lives)
    if (step === 'before-resend') for (const life of lives) this.#people.askForLost(life)
    if (!(await desks.awaitDeath(lives, step === 'any' ? this.random() * 1_500 : HALT_TIMEOUT_MS)))
      desks.kill(this.#people.pick(lives))
    this.#countDead(lives, name)
    for (const life of desks.living) life.order({ kind: 'halt', halt: null })
  }

  async #killAtDelete(name: string, lives: readonly NemesisProcess[]): Promise<void> {
    const victim = this.#people.pick(lives)
    await this.#work(lives)
    this.#people.requestCancellation(this.#people.add({}, [{ after: () => victim.killDesk() }]), victim)
    if (!(await this.#desks.awaitDeath([victim], HALT_TIMEOUT_MS))) this.#desks.kill(victim)
    this.#countDead([victim], name)
  }

  /** Leaves something to recover and pauses the other desks, which would otherwise recover it first. */
  async #killRecovering(name: string): Promise<void> {
    const desks = this.#desks
    const place = this.#people.pick(desks.places)
    const victim = place.life ?? desks.start(place)
    victim.order({ kind: 'halt', halt: { step: 'after-sending', time: 2, signal: 'SIGKILL' } })
    for (let single = 0; single < ACTIONS_PER_ROUND; single += 1)
      this.#people.requestCancellation(this.#people.add(), victim)
    if (!(await desks.awaitDeath([victim], HALT_TIMEOUT_MS))) desks.kill(victim)
    this.#countDead([victim], 'F3 after sending is committed')
    await desks.awaitDeath([victim], HALT_TIMEOUT_MS)
    const others = desks.living
    for (const other of others) other.pause(SETTLE_TIMEOUT_MS)
    if (desks.areSeveral) await wait(nemesisRules.leaseMs * 1.1)
    const next = desks.start(place, { step: 'during-recovery', time: 1, signal: 'SIGKILL' })
    await next.ready
    if (!(await desks.awaitDeath([next], 200))) desks.kill(next)
    this.#countDead([next], name)
    for (const other of others) other.wake()
  }

  /** Lets everything end and checks the result against the service's own log. */
  async finish(): Promise<NemesisReport> {
    const desks = this.#desks
    this.#faults.end(desks.places)
    desks.isEnding = true
    await desks.raise('all')
    const stopped = Date.now()
    const [first] = desks.living
    first?.order({ kind: 'settle', limit: SETTLE_TIMEOUT_MS })
    await within(SETTLE_TIMEOUT_MS * 1.5, 'everything to come to its end', first?.ended ?? Promise.resolve())
    const settledIn = Date.now() - stopped
    await desks.end()
    await this.service.close()
    await this.store.close()
    if (!this.#settled) throw new Error('it did not come to its end')
    return this.#report(this.#settled, settledIn)
  }

  #report({ rows, chain }: Extract<NemesisMessage, { kind: 'settled' }>, settledIn: number): NemesisReport {
    const { received: heard, requests: asked, told, pairs, violations } = this.#people
    const { service } = this
    const { deletes, payments } = service
    return {
      kills: this.#kills,
      faults: new Map([...this.#faults.counts, ['pairs of ids that differ in case', pairs]]),
      payments: payments.size,
      bulkRows: rows.filter(({ bulkId }) => bulkId !== null).length,
      deletes: deletes.length,
      cancelled: deletes.filter(({ effective }) => effective).length,
      told,
      leftToPeople: rows.filter(({ state }) => state === 'needs-person').length,
      settledIn,
      violations: [
        ...this.#desks.violations,
        ...violations,
        ...(chain ? [] : ['I7: the chain of the activity log does not hold']),
        ...findViolations({ heard, asked, rows, service, reviewAfterMs: nemesisRules.reviewAfterMs }),
      ],
    }
  }
}
