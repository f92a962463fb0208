import { inArray } from 'drizzle-orm'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { type Actor, type CancellationRow, type Ledger, makeLedgerClock, type Step } from '../../cancellations/ledger'
import { recover } from '../../cancellations/worker'
import { AppError } from '../../runtime/app-error'
import { cancellations } from '../../store/schema'
import type { ListCapabilities } from '../../upstream/capability-store'
import type { LedgerFixture } from '../ledger-fixture'
import type { DeleteSwitch, ServicePayment } from '../payment-ledger-service'
import { forgetCapabilities, makeActor, makeTestLedger, shiftStoreClock } from '../test-ledger'

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

export const modelRules = {
  graceMs: 15_000,
  pollIntervalMs: 1_000,
  listIntervalMs: 0,
  reviewAfterMs: 14 * 60_000,
  leaseMs: 30_000,
}

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
    readonly bench: LedgerFixture,
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
        if (!(error instanceof AppError)) throw error
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

/** How the payment was in the moment when a DELETE arrived; null where it had changed since the desk had to read it. */
type Arrival = { paymentId: string; shown: Pick<ServicePayment, 'amount' | 'status'> | null }

/** One run: a few payments, people, a service that may do anything, and desks on one store (see ModelDesks). */
export class ModelWorld {
  readonly people: readonly Actor[] = [makeActor('ann@debitdesk.example'), makeActor('bo@debitdesk.example')]
  readonly payments: readonly ServicePayment[]
  readonly asked = new Map<string, { actor: Actor; reason: string }>()
  readonly desks: ModelDesks
  readonly #ends = new Map<string, End>()
  readonly #arrivals: Arrival[] = []
  /** When each DELETE arrived that is in the service's own log, by the store's time. */
  readonly #arrivedAt: number[] = []
  /** The store's time before each cancellation was asked for. */
  readonly #askedAt = new Map<string, number>()
  #before = Date.now()

  constructor(
    readonly bench: LedgerFixture,
    skews: readonly number[],
    spoil?: (ledger: Ledger) => Ledger,
  ) {
    bench.service.mend()
    bench.service.payments.clear()
    bench.service.deletes.length = 0
    bench.service.onDelete = () => void this.#arrivedAt.push(this.desks.now())
    this.payments = [bench.service.add(), bench.service.add()]
    this.desks = new ModelDesks(bench, skews, spoil)
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
      if (shown) this.#arrivals.push({ paymentId: shown.id, shown: this.desks.changed.has(shown.id) ? null : shown })
    }
    this.bench.service.next(payment, ...given.map((behaviour) => ({ ...switches[behaviour], before })))
  }

  /** Changes a payment at the service. */
  change(paymentId: string, changes: Partial<ServicePayment>): void {
    this.desks.noteChange(paymentId)
    this.bench.service.change(paymentId, changes)
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

  /** I2 to I6 and I8, of everything that is known by now; to be called after each command. */
  async judge(): Promise<void> {
    const rows = await this.rows()
    for (const { id } of rows) if (!this.#askedAt.has(id)) this.#askedAt.set(id, this.#before)
    for (const { id } of this.payments) this.#judgePayment(id, rows)
    for (const row of rows) this.#judgeRow(row)
    const keys = rows.map(({ clientKey }) => clientKey)
    if (new Set(keys).size !== keys.length) throw new Error('I2: one key has two cancellations')
    this.#judgeGraces()
    this.#before = this.desks.now()
  }

  /** Nothing is sent again before the grace is over, by whichever desk. */
  #judgeGraces(): void {
    const last = new Map<string | null, number>()
    for (const [index, { idempotencyKey }] of this.bench.service.deletes.entries()) {
      const at = this.#arrivedAt[index] ?? 0
      const since = at - (last.get(idempotencyKey) ?? Number.NEGATIVE_INFINITY)
      if (since < modelRules.graceMs) throw new Error(`sent again after ${since} ms, within the grace`)
      last.set(idempotencyKey, at)
    }
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
      if (row.createdAt.getTime() > at) throw new Error('I5: a request before its intent')
      if (text !== row.reason) throw new Error('I6: another reason arrived')
      const shown = arrivals[index]?.shown
      if (shown && shown.amount !== row.seen?.amount) throw new Error('I6: another amount was seen')
      if (shown && shown.status !== 'Pending') throw new Error('sent for what cannot be cancelled')
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
    const age = this.desks.now() - (this.#askedAt.get(id) ?? 0)
    // What was declined and is gone asks for a person at once.
    if (state === 'needs-person' && outcomeReason !== 'absent' && age < modelRules.reviewAfterMs)
      throw new Error(`a person was asked after ${age} ms`)
    const end = { state, outcomeReason, userEmail, reason, closedAt }
    const known = this.#ends.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(end)) throw new Error('I8: what was closed has changed')
    if (closedAt) this.#ends.set(id, end)
  }
}
