import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Step } from '../cancellations/ledger'
import { askFor } from './ledger-bench'
import type { NemesisLife, NemesisOrder, NemesisWord } from './nemesis-desk'
import {
  type DeleteSwitch,
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from './payment-ledger-service'
import { makeActor } from './test-ledger'

/** What is wrong, in a sentence; and what was counted. */
export type NemesisReport = {
  kills: Map<string, number>
  payments: number
  bulkRows: number
  deletes: number
  cancelled: number
  told: number
  violations: string[]
}

const script = 'lib/server/testing/nemesis-desk.ts'
const plain = (status: number) => ({ status, headers: {}, body: '' })
const singles = 6
const bulkSize = 20
/** What a kill by the process's own hand waits for at most, in milliseconds. */
const patience = 8_000

/** Failpoints F1 to F9 by the step after or before which the process dies; F4 is a kill by the service, when the DELETE has arrived. */
export const failpoints: readonly [name: string, step: Step | 'delete' | 'any'][] = [
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

/** What a service does with a DELETE, by chance. */
function chooseAnswer(random: () => number): DeleteSwitch {
  const chance = random()
  if (chance < 0.5) return {}
  if (chance < 0.62) return { effect: false, answer: plain(500) }
  if (chance < 0.74) return { answer: plain(500) }
  if (chance < 0.82) return { answer: { resetBefore: true } }
  if (chance < 0.86) return { answer: { hang: true } }
  if (chance < 0.92) return { effect: false, answer: { ...plain(429), headers: { 'retry-after': '1' } } }
  return { effect: false, answer: plain(chance < 0.96 ? 403 : 409) }
}

/** One store, one service, and a desk between them that is killed again and again during mixed work. */
export class NemesisLane {
  readonly #words: NemesisWord[] = []
  readonly #payments: ServicePayment[] = []
  readonly #violations: string[] = []
  readonly #kills = new Map<string, number>()
  #child: ChildProcess | undefined

  private constructor(
    readonly service: PaymentLedgerService,
    readonly folder: string,
    readonly random: () => number,
  ) {}

  static async start(random: () => number): Promise<NemesisLane> {
    return new NemesisLane(await startPaymentLedgerService(), await mkdtemp(join(tmpdir(), 'nemesis-')), random)
  }

  #hear(line: string): void {
    const word: NemesisWord = JSON.parse(line)
    this.#words.push(word)
    if (word.kind !== 'told' || word.outcome !== 'cancelled') return
    // I3, in the moment of telling.
    const status = this.service.payments.get(word.paymentId)?.status
    if (status !== 'Cancelled') this.#violations.push(`I3: told Cancelled of a payment that was ${status}`)
  }

  /** Starts a life; answers when it is ready or over, and when it is over. */
  #begin(die?: NemesisLife['die']): {
    ready: Promise<void>
    ended: Promise<unknown>
    order: (order: NemesisOrder) => void
  } {
    const life: NemesisLife = { folder: this.folder, service: this.service.url, ...(die && { die }) }
    const child = spawn(process.execPath, ['scripts/run/run-program.mjs', script, JSON.stringify(life)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    const ended = new Promise((resolve) => child.once('close', resolve))
    const ready = new Promise<void>((resolve) => {
      void ended.then(() => resolve())
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.#hear(line)
        resolve()
      })
    })
    return { ready, ended, order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`) }
  }

  #add(): ServicePayment {
    const payment = this.service.add()
    this.#payments.push(payment)
    const answers = [1, 2, 3].map(() => chooseAnswer(this.random))
    this.service.next(payment, ...answers)
    return payment
  }

  /** Settles some of those that are still open at the service, as time does. */
  #settleSome(): void {
    for (const { id } of this.#payments) {
      if (this.service.payments.get(id)?.status === 'Pending' && this.random() < 0.02)
        this.service.change(id, { status: 'Settled' })
    }
  }

  /** Has a bulk started, for as long as the life lasts; else its lists would never be ready before the kill. */
  async #startBulk(order: (order: NemesisOrder) => void, ended: Promise<unknown>): Promise<void> {
    const payments = Array.from({ length: bulkSize }, () => ({ id: this.#add().id }))
    const countStarted = () => this.#words.filter(({ kind }) => kind === 'started').length
    const before = countStarted()
    order({ kind: 'bulk', payments })
    for (const end = Date.now() + patience; Date.now() < end && countStarted() === before; )
      if (await Promise.race([ended.then(() => true), wait(20, false)])) return
  }

  /** One life and one kill, at a failpoint if it is come to in time, else at random. */
  async kill([name, step]: (typeof failpoints)[number]): Promise<void> {
    const dies = step !== 'delete' && step !== 'any'
    const time = step === 'during-recovery' ? 1 : 1 + Math.floor(this.random() * 4)
    const { ready, ended, order } = this.#begin(dies ? { step, time } : undefined)
    const kill = () => this.#child?.kill('SIGKILL')
    await ready
    this.service.cancelDelay = this.random() < 0.5 ? 0 : 100
    if (this.random() < 0.3) await this.#startBulk(order, ended)
    for (let single = 0; single < singles; single += 1)
      order({ kind: 'cancel', actor: makeActor(), instruction: askFor(this.#add()) })
    this.#settleSome()
    if (step === 'delete') {
      const last = this.#add()
      this.service.next(last, {})
      this.service.onDelete = kill
      order({ kind: 'cancel', actor: makeActor(), instruction: askFor(last) })
    }
    const late = wait(step === 'any' ? this.random() * 1_500 : patience).then(() => 'late' as const)
    const how = await Promise.race([ended.then(() => 'died' as const), late])
    kill()
    await ended
    this.service.onDelete = undefined
    const counted = how === 'died' || step === 'any' ? name : 'at random'
    this.#kills.set(counted, (this.#kills.get(counted) ?? 0) + 1)
  }

  /** The last life: everything comes to its end, and what was told is held against the service's own log. */
  async finish(): Promise<NemesisReport> {
    this.service.mend()
    const { ready, ended, order } = this.#begin()
    await ready
    order({ kind: 'settle' })
    await ended
    const settled = this.#words.findLast((word) => word.kind === 'settled')
    await this.service.close()
    await rm(this.folder, { recursive: true, force: true })
    if (!settled) throw new Error('it did not come to its end')
    if (!settled.chain) this.#violations.push('I7: the chain of the activity log does not hold')
    this.#judge(settled.rows)
    return {
      kills: this.#kills,
      payments: this.#payments.length,
      bulkRows: settled.rows.filter(({ bulk }) => bulk).length,
      deletes: this.service.deletes.length,
      cancelled: this.service.deletes.filter(({ effective }) => effective).length,
      told: this.#words.filter(({ kind }) => kind === 'told').length,
      violations: this.#violations,
    }
  }

  #judge(rows: Extract<NemesisWord, { kind: 'settled' }>['rows']): void {
    const { deletes, payments } = this.service
    const say = (violation: string) => void this.#violations.push(violation)
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const word of this.#words) {
      if (word.kind !== 'told') continue
      const row = byId.get(word.id)
      if (!row) say(`I1: ${word.outcome} was told of a cancellation that is lost`)
      else if (['cancelled', 'not-cancelled', 'needs-person'].includes(word.outcome) && row.state !== word.outcome)
        say(`I8: ${word.outcome} was told of what is ${row.state} in the end`)
    }
    const started = this.#words.flatMap((word) => (word.kind === 'started' ? [word.count] : []))
    const inBulks = rows.filter(({ bulk }) => bulk).length
    if (inBulks < started.reduce((sum, count) => sum + count, 0)) say('rows of a bulk that was started are lost')
    for (const { idempotencyKey, at } of deletes) {
      const row = byId.get(idempotencyKey ?? '')
      if (!row || Date.parse(row.createdAt) > at) say('I5: a request without an earlier intent')
    }
    for (const row of rows) {
      const done = deletes.some(({ idempotencyKey, effective }) => effective && idempotencyKey === row.id)
      const status = payments.get(row.paymentId)?.status
      if (row.state === 'cancelled' && status !== 'Cancelled') say(`I3: cancelled here, ${status} at the service`)
      if (row.state === 'not-cancelled' && done) say('I4: not cancelled here, done by it at the service')
      // Sent twice without a word of success it may still take effect: nobody can know.
      if (row.state === 'needs-person' && (row.attempts < 2 || status === 'Cancelled'))
        say('a person was asked though everything could be known')
    }
    for (const { id } of this.#payments) {
      const own = deletes.filter(({ paymentId }) => paymentId === id)
      const first = own.findIndex(({ effective }) => effective)
      if (own.filter(({ effective }) => effective).length > 1) say('I2: cancelled twice')
      if (first >= 0 && first < own.length - 1) say('I2: sent again after it had been done')
    }
  }
}
