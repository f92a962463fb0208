import { randomUUID } from 'node:crypto'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import type { OpenDatabase } from '@/lib/database/database'
import type { Ledger } from '../cancellations/ledger'
import { requestCancellation } from '../cancellations/request-cancellation'
import type { Instruction } from '../cancellations/intents'
import { openMemoryStore } from './store-fixture'
import {
  type DeleteSwitch,
  type JudgedDelete,
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from './payment-ledger-service'
import { forgetCapabilities, makeActor, makeTestLedger } from './test-ledger'

/** What a dialog sends that shows this payment. */
export function askFor(payment: ServicePayment, changes: Partial<Instruction> = {}): Instruction {
  const { id, amount, currency, status, modifiedAt } = payment
  const seen = { amount, currency, status, modifiedAt }
  return { key: randomUUID(), paymentId: id, reason: 'Ordered twice', seen, ...changes }
}

/** An answer with a problem record, without effect. */
export function problemAnswer(status: number): DeleteSwitch {
  const body = JSON.stringify({ title: 'No', detail: `Words of ${status}` })
  return { effect: false, answer: { status, headers: { 'content-type': 'application/problem+json' }, body } }
}

/** A store in memory, a payments service and a ledger between them. */
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

  /** A sound service and a ledger that remembers nothing. */
  reset(): void {
    this.service.mend()
    const capabilities = forgetCapabilities(this.store)
    this.ledger = makeTestLedger(this.store, this.service.url, { parts: { capabilities } })
  }

  /** Cancels a payment as somebody who sees it as it is; the switches are for its DELETEs, one each. */
  async cancel(payment: ServicePayment, ...switches: DeleteSwitch[]): Promise<CancellationView> {
    this.service.next(payment, ...switches)
    return (await requestCancellation(this.ledger, this.actor, askFor(payment))).cancellation
  }

  /** The DELETEs of a payment in the service's own log. */
  deletesOf({ id }: ServicePayment): JudgedDelete[] {
    return this.service.deletes.filter(({ paymentId }) => paymentId === id)
  }

  /** How often the lists were read after a moment, in milliseconds, and before another. */
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
