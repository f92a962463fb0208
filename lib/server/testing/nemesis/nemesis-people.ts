import { randomUUID } from 'node:crypto'
import type { Actor } from '../../cancellations/ledger'
import type { Instruction } from '../../cancellations/intents'
import { askFor } from '../ledger-fixture'
import type { NemesisOrder, NemesisWord } from './nemesis-desk'
import type { Asked, HeardWord } from './nemesis-judge'
import type { DeleteSwitch, PaymentLedgerService, ServicePayment } from '../payment-ledger-service'
import { makeActor } from '../test-ledger'

/** Somebody's desk: takes an order, if it is there. */
export type Desk = { order: (order: NemesisOrder) => void }

type Submission = { actor: Actor; instruction: Instruction }

const plain = (status: number) => ({ status, headers: {}, body: '' })
/** A lost reply of the service, with and without effect. */
const lost: DeleteSwitch = { effect: false, answer: plain(500) }
const bulkSize = 16

/** What a service does with a DELETE, by chance. */
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

/** The people at the desks of one store: what they ask for, by chance, and what they are told. */
export class NemesisPeople {
  readonly asked = new Map<string, Asked>()
  readonly heard: HeardWord[] = []
  readonly violations: string[] = []
  readonly #submissions: Submission[] = []
  readonly #times = new Map<string, number>()
  readonly #views = new Set<string>()
  /** How often anything was told, views that say the same too. */
  told = 0
  pairs = 0

  constructor(
    readonly service: PaymentLedgerService,
    readonly random: () => number,
  ) {}

  hear(word: NemesisWord): void {
    if (word.kind === 'told') {
      this.told += 1
      // I3, in the moment of telling.
      const status = this.service.payments.get(word.paymentId)?.status
      if (word.outcome === 'cancelled' && status !== 'Cancelled')
        this.violations.push(`I3: told Cancelled of a payment that was ${status}`)
      const view = `${word.id} ${word.outcome} ${word.key}`
      if (this.#views.has(view)) return
      this.#views.add(view)
    }
    const submissions = 'key' in word && word.key !== undefined ? (this.#times.get(word.key) ?? 0) : 0
    this.heard.push({ word, at: Date.now(), submissions })
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.random() * items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }

  /** A payment, and what the service answers to its first DELETEs. */
  add(changes: Partial<ServicePayment> = {}, answers = [1, 2, 3].map(() => chooseAnswer(this.random))): ServicePayment {
    const payment = this.service.add(changes)
    this.service.next(payment, ...answers)
    return payment
  }

  #submit(submission: Submission, desks: readonly Desk[]): void {
    const { actor, instruction } = submission
    const { key, paymentId, reason } = instruction
    if (!this.asked.has(key)) {
      this.asked.set(key, { paymentId, reason, email: actor.email })
      this.#submissions.push(submission)
    }
    for (const desk of desks) {
      this.#times.set(key, (this.#times.get(key) ?? 0) + 1)
      desk.order({ kind: 'cancel', actor, instruction })
    }
  }

  /** Somebody asks for a payment to be cancelled, at each of these desks with the same key. */
  ask({ id }: { id: string }, ...desks: Desk[]): void {
    const payment = this.service.payments.get(id)
    if (!payment) throw new Error('there is no such payment')
    const number = this.asked.size
    const actor = makeActor(`person-${number}@debitdesk.example`)
    this.#submit({ actor, instruction: askFor(payment, { key: randomUUID(), reason: `Reason ${number}` }) }, desks)
  }

  /** Two payments that nothing but the case of their ids tells apart; one of them, or both, are asked for. */
  #askForPair(desks: readonly Desk[]): void {
    this.pairs += 1
    const alike = { reference: `INV-P${this.pairs}`, paymentDate: '2026-12-01T00:00:00Z' }
    const pair = ['aBcDaQ', 'AbCdAq'].map((start) => this.add({ ...alike, id: `${start}${this.pairs}z` }))
    if (this.random() < 0.5) this.ask(this.pick(pair), this.pick(desks))
    else for (const payment of pair) this.ask(payment, this.pick(desks))
  }

  /** One thing that somebody does, at one desk or at two at once. */
  act(desks: readonly Desk[]): void {
    const chance = this.random()
    const [one, other] = [this.pick(desks), this.pick(desks)]
    const earlier = this.#submissions.slice(-30)
    if (chance < 0.15) return this.#askForPair(desks)
    if (chance < 0.25 && earlier.length > 0) return this.#submit(this.pick(earlier), [one])
    if (chance < 0.3 && earlier.length > 0) return this.ask({ id: this.pick(earlier).instruction.paymentId }, one)
    const payment = this.add()
    // Twice the same key, as after a lost reply, or two people at once.
    if (chance < 0.4) return this.ask(payment, one, other)
    this.ask(payment, one)
    if (chance < 0.5) this.ask(payment, other)
  }

  /** Asks for what the service loses first: it is sent a second time. */
  askForLost(desk: Desk): void {
    this.ask(this.add({}, [lost]), desk)
  }

  /** Settles some of those that are still open at the service, as time does. */
  settleSome(): void {
    for (const { id, status } of this.service.payments.values())
      if (status === 'Pending' && this.random() < 0.01) this.service.change(id, { status: 'Settled' })
  }

  startBulk(desk: Desk): void {
    desk.order({ kind: 'bulk', payments: Array.from({ length: bulkSize }, () => ({ id: this.add().id })) })
  }
}
