import { randomUUID } from 'node:crypto'
import type { Actor } from '../../cancellations/ledger'
import type { Instruction } from '../../cancellations/intents'
import { askFor } from '../ledger-fixture'
import type { NemesisCommand, NemesisMessage } from './nemesis-desk'
import type { RequestedCancellation, ReceivedMessage } from './nemesis-judge'
import type { DeleteSwitch, PaymentLedgerService, ServicePayment } from '../payment-ledger-service'
import { makeActor } from '../test-ledger'

/** A desk that users send commands to. */
export type Desk = { order: (order: NemesisCommand) => void }

type Submission = { actor: Actor; instruction: Instruction }

const plain = (status: number) => ({ status, headers: {}, body: '' })
/** A DELETE that is lost without effect. */
const lost: DeleteSwitch = { effect: false, answer: plain(500) }
const BULK_SIZE = 16

/** The service's random behaviour for a DELETE. */
function chooseAnswer(random: () => number): DeleteSwitch {
  const chance = random()
  if (chance < 0.5) return {}
  if (chance < 0.62) return lost
  if (chance < 0.74) return { answer: plain(500) }
  if (chance < 0.82) return { answer: { resetBefore: true } }
  if (chance < 0.86) return { answer: { hang: true } }
  if (chance < 0.92) return { effect: false, answer: { ...plain(429), headers: { 'retry-after': '1' } } }
  return { effect: false, answer: plain(chance < 0.96 ? 403 : 409) }
}

/** The users of one store's desks: their random requests, and what they are told. */
export class NemesisPeople {
  readonly requests = new Map<string, RequestedCancellation>()
  readonly received: ReceivedMessage[] = []
  readonly violations: string[] = []
  readonly #submissions: Submission[] = []
  readonly #submissionCounts = new Map<string, number>()
  readonly #views = new Set<string>()
  /** Reported outcomes, including repeated views. */
  told = 0
  pairs = 0

  constructor(
    readonly service: PaymentLedgerService,
    readonly random: () => number,
  ) {}

  receive(word: NemesisMessage): void {
    if (word.kind === 'told') {
      this.told += 1
      // I3 must hold at the time of the report.
      const status = this.service.payments.get(word.paymentId)?.status
      if (word.outcome === 'cancelled' && status !== 'Cancelled')
        this.violations.push(`I3: told Cancelled of a payment that was ${status}`)
      const view = `${word.id} ${word.outcome} ${word.key}`
      if (this.#views.has(view)) return
      this.#views.add(view)
    }
    const submissions = 'key' in word && word.key !== undefined ? (this.#submissionCounts.get(word.key) ?? 0) : 0
    this.received.push({ word, at: Date.now(), submissions })
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.random() * items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }

  /** Adds a payment, with the service's behaviour for its first DELETEs. */
  add(changes: Partial<ServicePayment> = {}, answers = [1, 2, 3].map(() => chooseAnswer(this.random))): ServicePayment {
    const payment = this.service.add(changes)
    this.service.next(payment, ...answers)
    return payment
  }

  #submit(submission: Submission, desks: readonly Desk[]): void {
    const { actor, instruction } = submission
    const { key, paymentId, reason } = instruction
    if (!this.requests.has(key)) {
      this.requests.set(key, { paymentId, reason, email: actor.email })
      this.#submissions.push(submission)
    }
    for (const desk of desks) {
      this.#submissionCounts.set(key, (this.#submissionCounts.get(key) ?? 0) + 1)
      desk.order({ kind: 'cancel', actor, instruction })
    }
  }

  /** Requests a payment's cancellation, at each of these desks with the same key. */
  requestCancellation({ id }: { id: string }, ...desks: Desk[]): void {
    const payment = this.service.payments.get(id)
    if (!payment) throw new Error('there is no such payment')
    const number = this.requests.size
    const actor = makeActor(`person-${number}@debitdesk.example`)
    this.#submit({ actor, instruction: askFor(payment, { key: randomUUID(), reason: `Reason ${number}` }) }, desks)
  }

  /** Adds two payments whose ids differ only in case, and requests one or both. */
  #askForPair(desks: readonly Desk[]): void {
    this.pairs += 1
    const alike = { reference: `INV-P${this.pairs}`, paymentDate: '2026-12-01T00:00:00Z' }
    const pair = ['aBcDaQ', 'AbCdAq'].map((start) => this.add({ ...alike, id: `${start}${this.pairs}z` }))
    if (this.random() < 0.5) this.requestCancellation(this.pick(pair), this.pick(desks))
    else for (const payment of pair) this.requestCancellation(payment, this.pick(desks))
  }

  /** A random action of a user, at one desk or at two at once. */
  act(desks: readonly Desk[]): void {
    const chance = this.random()
    const [one, other] = [this.pick(desks), this.pick(desks)]
    const earlier = this.#submissions.slice(-30)
    if (chance < 0.15) return this.#askForPair(desks)
    if (chance < 0.25 && earlier.length > 0) return this.#submit(this.pick(earlier), [one])
    if (chance < 0.3 && earlier.length > 0)
      return this.requestCancellation({ id: this.pick(earlier).instruction.paymentId }, one)
    const payment = this.add()
    // The same key twice, as after a lost reply, or two users at once.
    if (chance < 0.4) return this.requestCancellation(payment, one, other)
    this.requestCancellation(payment, one)
    if (chance < 0.5) this.requestCancellation(payment, other)
  }

  /** Requests a cancellation whose first DELETE is lost, so that it is resent. */
  askForLost(desk: Desk): void {
    this.requestCancellation(this.add({}, [lost]), desk)
  }

  /** Settles some open payments at the service, as time does. */
  settleSome(): void {
    for (const { id, status } of this.service.payments.values())
      if (status === 'Pending' && this.random() < 0.01) this.service.change(id, { status: 'Settled' })
  }

  startBulk(desk: Desk): void {
    desk.order({ kind: 'bulk', payments: Array.from({ length: BULK_SIZE }, () => ({ id: this.add().id })) })
  }
}
