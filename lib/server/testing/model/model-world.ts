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

/** How a process stops at a step: it dies, is paused, or is paused while its own clocks stand still (sleep). */
export type Halt = { step: Step; how: 'die' | 'pause' | 'sleep' }

/** A desk process; `ahead` is the offset of its clocks from the store's, in milliseconds. */
type Desk = {
  ledger: Ledger
  clock: { ahead: number }
  paused: Paused | null
}

/** The pending work of a paused desk, and the payments changed since. */
type Paused = { halt: Halt; changed: Set<string>; wake: () => void; work: Promise<void> }

/** Steps after the payment was read: a change since then cannot be noticed before the DELETE. */
const stepsAfterReading: readonly Step[] = ['during-read', 'after-sending', 'before-resend']

export const modelRules = {
  graceMs: 15_000,
  pollIntervalMs: 1_000,
  listIntervalMs: 0,
  reviewAfterMs: 14 * 60_000,
  leaseMs: 30_000,
}

/**
 * The desks of a run, on one store, whose processes may die or be paused at any step. Time is shifted rather than waited
 * for: the store's for all, and each desk's relative to it.
 */
export class ModelDesks {
  readonly #desks: readonly Desk[]
  readonly #capabilities: ListCapabilities
  #ahead = 0
  /** The payments changed while the desk that is now resuming was paused. */
  changed: ReadonlySet<string> = new Set()

  constructor(
    readonly fixture: LedgerFixture,
    skews: readonly number[],
    /** Injects a fault into the desks, for tests of the model itself. */
    readonly injectFault: (ledger: Ledger) => Ledger = (ledger) => ledger,
  ) {
    this.#capabilities = forgetCapabilities(fixture.store)
    this.#desks = skews.map((ahead) => {
      const clock = { ahead }
      return { ledger: this.#createLedger(clock), clock, paused: null }
    })
  }

  now(): number {
    return Date.now() + this.#ahead
  }

  /** A new process without memory. */
  #createLedger(own: Desk['clock']): Ledger {
    const clock = makeLedgerClock(this.fixture.store.clock)
    const shift = (moment: Date) => new Date(moment.getTime() + this.#ahead + own.ahead)
    return this.injectFault(
      makeTestLedger(this.fixture.store, this.fixture.service.url, {
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

  /** Advances time. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds
    // Slow-downs are timed by the real clock.
    for (const { ledger, clock, paused } of this.#desks) {
      ledger.memory.endSlowDown()
      if (paused?.halt.how === 'sleep') clock.ahead -= milliseconds
    }
  }

  /**
   * Runs work at a desk unless it is paused. If its process dies on the way, another replaces it; if it is paused, the
   * rest runs when it is woken. An AppError is an accepted outcome.
   */
  async run(index: number, work: (ledger: Ledger) => Promise<unknown>, halt?: Halt): Promise<void> {
    const desk = this.#desk(index)
    if (desk.paused) return
    let stop: (how: Halt['how']) => void = () => undefined
    const halted = new Promise<Halt['how']>((resolve) => {
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
    const how = await Promise.race([done, halted])
    if (how === 'die') await this.restart(index)
    else if (halt && how) desk.paused = { halt, changed: new Set(), wake, work: done }
  }

  /** Resumes a paused process. */
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

  /** Records a change of a payment at the service. */
  recordChange(paymentId: string): void {
    for (const { paused } of this.#desks) paused?.changed.add(paymentId)
  }

  /** Replaces a process, paused or not, by another with the same clock offset. */
  async restart(index: number): Promise<void> {
    const desk = this.#desk(index)
    desk.ledger = this.#createLedger(desk.clock)
    desk.paused = null
    await recover(desk.ledger)
  }
}

/** How a service handles a DELETE. */
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

/** The final state of a closed cancellation, which must not change. */
type End = Pick<CancellationRow, 'state' | 'outcomeReason' | 'userEmail' | 'reason' | 'closedAt'>

/** The payment when a DELETE arrived; null if it had changed after the desk's last required read. */
type Arrival = { paymentId: string; shown: Pick<ServicePayment, 'amount' | 'status'> | null }

/** A run: a few payments and users, a service that may do anything, and desks on one store (see ModelDesks). */
export class ModelWorld {
  readonly people: readonly Actor[] = [makeActor('ann@debitdesk.example'), makeActor('bo@debitdesk.example')]
  readonly payments: readonly ServicePayment[]
  readonly asked = new Map<string, { actor: Actor; reason: string }>()
  readonly desks: ModelDesks
  readonly #ends = new Map<string, End>()
  readonly #arrivals: Arrival[] = []
  /** When each DELETE in the service's log arrived, by the store's time. */
  readonly #arrivedAt: number[] = []
  /** The store's time before each cancellation was requested. */
  readonly #askedAt = new Map<string, number>()
  #before = Date.now()

  constructor(
    readonly fixture: LedgerFixture,
    skews: readonly number[],
    injectFault?: (ledger: Ledger) => Ledger,
  ) {
    fixture.service.mend()
    fixture.service.payments.clear()
    fixture.service.deletes.length = 0
    fixture.service.onDelete = () => void this.#arrivedAt.push(this.desks.now())
    this.payments = [fixture.service.add(), fixture.service.add()]
    this.desks = new ModelDesks(fixture, skews, injectFault)
  }

  payment(index: number): ServicePayment {
    const known = this.payments[index % this.payments.length]
    const now = known && this.fixture.service.payments.get(known.id)
    if (!now) throw new Error('there is no such payment')
    return now
  }

  person(index: number): Actor {
    const actor = this.people[index % this.people.length]
    if (!actor) throw new Error('there is no such person')
    return actor
  }

  /** Sets the service's behaviour for the next DELETEs of a payment, recording its state as each arrives. */
  prepare(payment: ServicePayment, next: readonly Behaviour[]): void {
    const before = (shown: ServicePayment | undefined) => {
      if (shown) this.#arrivals.push({ paymentId: shown.id, shown: this.desks.changed.has(shown.id) ? null : shown })
    }
    this.fixture.service.next(payment, ...next.map((behaviour) => ({ ...switches[behaviour], before })))
  }

  change(paymentId: string, changes: Partial<ServicePayment>): void {
    this.desks.recordChange(paymentId)
    this.fixture.service.change(paymentId, changes)
  }

  rows(): Promise<CancellationRow[]> {
    const ids = this.payments.map(({ id }) => id)
    return this.fixture.store.db.select().from(cancellations).where(inArray(cancellations.paymentId, ids))
  }

  /** I3: a reported outcome is true when it is reported. */
  checkReported({ paymentId, outcome }: CancellationView): void {
    const status = this.fixture.service.payments.get(paymentId)?.status
    if (outcome === 'cancelled' && status !== 'Cancelled')
      throw new Error(`I3: told Cancelled while the service says ${status}`)
  }

  /** Checks I2 to I6 and I8 so far; call after each command. */
  async checkInvariants(): Promise<void> {
    const rows = await this.rows()
    for (const { id } of rows) if (!this.#askedAt.has(id)) this.#askedAt.set(id, this.#before)
    for (const { id } of this.payments) this.#checkPayment(id, rows)
    for (const row of rows) this.#checkRow(row)
    const keys = rows.map(({ clientKey }) => clientKey)
    if (new Set(keys).size !== keys.length) throw new Error('I2: one key has two cancellations')
    this.#checkGraces()
    this.#before = this.desks.now()
  }

  /** Nothing is resent within the grace period, by any desk. */
  #checkGraces(): void {
    const last = new Map<string | null, number>()
    for (const [index, { idempotencyKey }] of this.fixture.service.deletes.entries()) {
      const at = this.#arrivedAt[index] ?? 0
      const since = at - (last.get(idempotencyKey) ?? Number.NEGATIVE_INFINITY)
      if (since < modelRules.graceMs) throw new Error(`sent again after ${since} ms, within the grace`)
      last.set(idempotencyKey, at)
    }
  }

  #checkPayment(paymentId: string, rows: readonly CancellationRow[]): void {
    const own = rows.filter((row) => row.paymentId === paymentId)
    if (own.filter(({ closedAt }) => closedAt === null).length > 1) throw new Error('I2: two are open at once')
    const deletes = this.fixture.service.deletes.filter((each) => each.paymentId === paymentId)
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

  #checkRow(row: CancellationRow): void {
    const { id, state, outcomeReason, userEmail, reason, closedAt, clientKey } = row
    const asked = this.asked.get(clientKey)
    if (asked?.actor.email !== userEmail || asked.reason !== reason) throw new Error('I6: another person or reason')
    const wasDone = this.fixture.service.deletes.some((each) => each.idempotencyKey === id && each.effective)
    if (state === 'not-cancelled' && wasDone) throw new Error('I4: told Not cancelled, and it was done')
    const status = this.fixture.service.payments.get(row.paymentId)?.status
    if (state === 'cancelled' && status !== 'Cancelled') throw new Error('I3: cancelled here, not at the service')
    const age = this.desks.now() - (this.#askedAt.get(id) ?? 0)
    // A declined payment that has disappeared is left to a person at once.
    if (state === 'needs-person' && outcomeReason !== 'absent' && age < modelRules.reviewAfterMs)
      throw new Error(`a person was asked after ${age} ms`)
    const end = { state, outcomeReason, userEmail, reason, closedAt }
    const known = this.#ends.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(end)) throw new Error('I8: what was closed has changed')
    if (closedAt) this.#ends.set(id, end)
  }
}
