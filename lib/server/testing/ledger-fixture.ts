import { randomUUID } from 'node:crypto'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import type { OpenDatabase } from '@/lib/database/database'
import type { Ledger } from '../cancellations/ledger'
import { requestCancellation } from '../cancellations/request-cancellation'
import type { Instruction } from '../cancellations/intents'
import { openMemoryStore } from './store-fixture'
import {
  type DeleteSwitch,
  type LoggedDelete,
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from './payment-ledger-service'
import { forgetCapabilities, makeActor, makeTestLedger } from './test-ledger'

/** The request of a dialog that shows this payment. */
export function askFor(payment: ServicePayment, changes: Partial<Instruction> = {}): Instruction {
  const { id, amount, currency, status, modifiedAt } = payment
  const seen = { amount, currency, status, modifiedAt }
  return { key: randomUUID(), paymentId: id, reason: 'Ordered twice', seen, ...changes }
}

/** A reply with a problem record, without effect. */
export function problemAnswer(status: number): DeleteSwitch {
  const body = JSON.stringify({ title: 'No', detail: `Words of ${status}` })
  return { effect: false, answer: { status, headers: { 'content-type': 'application/problem+json' }, body } }
}

/** An in-memory store, a payment service and a ledger between them. */
export class LedgerFixture {
  readonly actor = makeActor()
  ledger: Ledger

  private constructor(
    readonly store: OpenDatabase,
    readonly service: PaymentLedgerService,
  ) {
    this.ledger = makeTestLedger(store, service.url)
  }

  static async start(): Promise<LedgerFixture> {
    return new LedgerFixture(await openMemoryStore(), await startPaymentLedgerService())
  }

  /** Resets to a sound service and a ledger without memory. */
  reset(): void {
    this.service.mend()
    const capabilities = forgetCapabilities(this.store)
    this.ledger = makeTestLedger(this.store, this.service.url, { parts: { capabilities } })
  }

  /** Cancels a payment as a user who sees its current state; one switch per DELETE. */
  async cancel(payment: ServicePayment, ...switches: DeleteSwitch[]): Promise<CancellationView> {
    this.service.next(payment, ...switches)
    return (await requestCancellation(this.ledger, this.actor, askFor(payment))).cancellation
  }

  /** The DELETEs of a payment in the service's own log. */
  deletesOf({ id }: ServicePayment): LoggedDelete[] {
    return this.service.deletes.filter(({ paymentId }) => paymentId === id)
  }

  /** The number of list reads between two times in milliseconds. */
  countReads(from: number, to = Number.POSITIVE_INFINITY): number {
    return this.service.requests.filter(
      ({ method, at }) => method === 'GET' && at.getTime() > from && at.getTime() < to,
    ).length
  }

  async close(): Promise<void> {
    await this.store.close()
    await this.service.close()
  }
}
