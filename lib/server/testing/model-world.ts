import { inArray } from 'drizzle-orm'
import type { CancellationView } from '@/lib/contract/cancellation'
import type { ListCapabilities } from '../capabilities/list-capabilities'
import type { Actor, CancellationRow, Ledger, Step } from '../cancellations/ledger'
import { makeLedgerClock } from '../cancellations/ledger-clock'
import { recover } from '../cancellations/recover'
import { Failure } from '../failure'
import { cancellations } from '../store/schema'
import type { LedgerBench } from './ledger-bench'
import type { DeleteSwitch, ServicePayment } from './payment-ledger-service'
import { forgetCapabilities, makeActor, makeTestLedger, shiftStoreClock } from './test-ledger'

/** How a service may take one DELETE. */
export const behaviours = ['sound', 'lost', 'done-500', 'done-reset', 'slow-down', 'refused', 'declined'] as const
export type Behaviour = (typeof behaviours)[number]

const plain = (status: number) => ({ status, headers: {}, body: '' })
const switches: Record<Behaviour, DeleteSwitch> = {
  sound: {},
  lost: { effect: false, answer: plain(500) },
  'done-500': { answer: plain(500) },
  'done-reset': { answer: { resetBefore: true } },
  'slow-down': { effect: false, answer: { ...plain(429), headers: { 'retry-after': '60' } } },
  refused: { effect: false, answer: plain(403) },
  declined: { effect: false, answer: plain(409) },
}

/** The state of a closed one, as it must stay. */
type End = Pick<CancellationRow, 'state' | 'outcomeReason' | 'userEmail' | 'reason' | 'closedAt'>

/** How the payment was in the moment when a DELETE arrived. */
type Arrival = { paymentId: string; amount: number; status: string }

/**
 * One run: a few payments, people, a service that may do anything, and a ledger whose process may die at any
 * step. Time is shifted, never waited for.
 */
export class ModelWorld {
  readonly people: readonly Actor[] = [makeActor('ann@debitdesk.example'), makeActor('bo@debitdesk.example')]
  readonly payments: readonly ServicePayment[]
  readonly asked = new Map<string, { actor: Actor; reason: string }>()
  readonly #ends = new Map<string, End>()
  readonly #arrivals: Arrival[] = []
  readonly #capabilities: ListCapabilities
  #ahead = 0
  #isDead = false
  ledger: Ledger

  constructor(
    readonly bench: LedgerBench,
    /** What is wrong with the desk, where a test wants to see that it is found out. */
    readonly spoil: (ledger: Ledger) => Ledger = (ledger) => ledger,
  ) {
    this.#capabilities = forgetCapabilities(bench.store)
    bench.service.mend()
    bench.service.payments.clear()
    bench.service.deletes.length = 0
    this.payments = [bench.service.add(), bench.service.add()]
    this.ledger = this.#make()
  }

  /** A process that remembers nothing; it dies at `dieAt`. */
  #make(dieAt?: Step, died: () => void = () => undefined): Ledger {
    const shift = (moment: Date) => new Date(moment.getTime() + this.#ahead)
    const clock = makeLedgerClock(this.bench.store.clock)
    const ledger = makeTestLedger(this.bench.store, this.bench.service.url, {
      rules: { grace: 15_000, readEvery: 1_000, listEvery: 0, personAfter: 14 * 60_000, lease: 30_000 },
      parts: {
        isAlone: true,
        capabilities: this.#capabilities,
        clock: {
          now: () => shift(clock.now()),
          wall: () => shift(clock.wall()),
          host: () => shift(clock.host()),
          store: shiftStoreClock(clock.store, () => this.#ahead),
        },
      },
    })
    const step = async (name: Step) => {
      if (name !== dieAt) return
      died()
      await new Promise(() => undefined)
    }
    return this.spoil({ ...ledger, step })
  }

  payment(index: number): ServicePayment {
    const known = this.payments[index % this.payments.length]
    const now = known && this.bench.service.payments.get(known.id)
    if (!now) throw new Error('there is no such payment')
    return now
  }

  person(index: number): Actor {
    const actor = this.people[index % this.people.length]
    if (!actor) throw new Error('there is no such person')
    return actor
  }

  /** What the service will do with the next DELETEs of a payment; what it was before is kept as it arrives. */
  prepare(payment: ServicePayment, given: readonly Behaviour[]): void {
    const before = (shown: ServicePayment | undefined) => {
      if (shown) this.#arrivals.push({ paymentId: shown.id, amount: shown.amount, status: shown.status })
    }
    this.bench.service.next(payment, ...given.map((behaviour) => ({ ...switches[behaviour], before })))
  }

  /** Time goes on by so many milliseconds. */
  pass(milliseconds: number): void {
    this.#ahead += milliseconds
    // Its own pauses are real ones.
    this.ledger.memory.endSlowDown()
  }

  /** Does something in the process that lives; where it dies on the way, another takes over. Answers null then. */
  async live<Result>(work: (ledger: Ledger) => Promise<Result>, dieAt?: Step): Promise<Result | Failure | null> {
    let die: () => void = () => undefined
    const death = new Promise<null>((resolve) => {
      die = () => {
        this.#isDead = true
        resolve(null)
      }
    })
    const { memory } = this.ledger
    const ledger = dieAt ? { ...this.#make(dieAt, die), memory } : this.ledger
    const done = await Promise.race([
      work(ledger).catch((error: unknown) => {
        if (error instanceof Failure) return error
        throw error
      }),
      death,
    ])
    if (!this.#isDead) return done
    this.#isDead = false
    this.ledger = this.#make()
    await recover(this.ledger)
    return null
  }

  rows(): Promise<CancellationRow[]> {
    const ids = this.payments.map(({ id }) => id)
    return this.bench.store.db.select().from(cancellations).where(inArray(cancellations.paymentId, ids))
  }

  /** I3: what is told is true in the moment of telling. */
  judgeWord({ paymentId, outcome }: CancellationView): void {
    const status = this.bench.service.payments.get(paymentId)?.status
    if (outcome === 'cancelled' && status !== 'Cancelled')
      throw new Error(`I3: told Cancelled while the service says ${status}`)
  }

  /** I2 to I6 and I8, of everything that is known by now. */
  async judge(): Promise<void> {
    const rows = await this.rows()
    for (const { id } of this.payments) this.#judgePayment(id, rows)
    for (const row of rows) this.#judgeRow(row)
    const keys = rows.map(({ clientKey }) => clientKey)
    if (new Set(keys).size !== keys.length) throw new Error('I2: one key has two cancellations')
  }

  #judgePayment(paymentId: string, rows: readonly CancellationRow[]): void {
    const own = rows.filter((row) => row.paymentId === paymentId)
    if (own.filter(({ closedAt }) => closedAt === null).length > 1) throw new Error('I2: two are open at once')
    const deletes = this.bench.service.deletes.filter((each) => each.paymentId === paymentId)
    const done = deletes.findIndex(({ effective }) => effective)
    if (done >= 0 && done < deletes.length - 1) throw new Error('I2: sent again after it had been done')
    const arrivals = this.#arrivals.filter((each) => each.paymentId === paymentId)
    for (const [index, { idempotencyKey, text, at }] of deletes.entries()) {
      const row = own.find(({ id }) => id === idempotencyKey)
      if (!row) throw new Error('I5: a request without an intent')
      if (row.createdAt.getTime() - this.#ahead > at) throw new Error('I5: a request before its intent')
      if (text !== row.reason) throw new Error('I6: another reason arrived')
      if (arrivals[index] && arrivals[index].amount !== row.seen?.amount) throw new Error('I6: another amount was seen')
      if (arrivals[index] && arrivals[index].status !== 'Pending') throw new Error('sent for what cannot be cancelled')
    }
  }

  #judgeRow(row: CancellationRow): void {
    const { id, state, outcomeReason, userEmail, reason, closedAt, clientKey } = row
    const asked = this.asked.get(clientKey)
    if (asked?.actor.email !== userEmail || asked.reason !== reason) throw new Error('I6: another person or reason')
    const wasDone = this.bench.service.deletes.some((each) => each.idempotencyKey === id && each.effective)
    if (state === 'not-cancelled' && wasDone) throw new Error('I4: told Not cancelled, and it was done')
    const status = this.bench.service.payments.get(row.paymentId)?.status
    if (state === 'cancelled' && status !== 'Cancelled') throw new Error('I3: cancelled here, not at the service')
    const end = { state, outcomeReason, userEmail, reason, closedAt }
    const known = this.#ends.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(end)) throw new Error('I8: what was closed has changed')
    if (closedAt) this.#ends.set(id, end)
  }
}
