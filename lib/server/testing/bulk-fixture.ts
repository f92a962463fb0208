import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { BulkRequest, BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import type { OpenDatabase } from '@/lib/database/database'
import { type BulkRow, findBulk, viewBulk } from '../bulk-cancellations/queries'
import { createBulk, prepareBulk } from '../bulk-cancellations/prepare-bulk'
import { runWorkers } from '../bulk-cancellations/worker'
import { startBulk } from '../bulk-cancellations/start-bulk'
import type { Actor, CancellationRow, Ledger } from '../cancellations/ledger'
import type { Worker } from '../cancellations/worker'
import { activity, cancellations, defaultConnectionId, memberships, users } from '../store/schema'
import { openMemoryStore } from './store-fixture'
import { type LoggedDelete, type PaymentLedgerService, startPaymentLedgerService } from './payment-ledger-service'
import { forgetCapabilities, makeTestLedger } from './test-ledger'

/** Adds a user with a role to the store. */
export async function addActor({ db }: OpenDatabase, role = 'support'): Promise<Actor> {
  const actor = {
    userId: randomUUID(),
    email: `${randomUUID().slice(0, 8)}@debitdesk.example`,
    sessionId: randomUUID(),
  }
  await db.insert(users).values({ id: actor.userId, email: actor.email })
  await db.insert(memberships).values({ connectionId: defaultConnectionId, userId: actor.userId, role })
  return actor
}

/** A bulk request for these payments, by id. */
export function listOf(payments: readonly { id: string }[]): BulkRequest {
  return { kind: 'list', name: null, rows: payments.map(({ id }) => ({ given: id, reason: null })) }
}

/** What a user confirms after seeing this view. */
export function confirm(view: BulkView, reason: string | null = 'Ordered twice') {
  return { count: view.count, digest: view.digest ?? '', sums: view.sums, reason }
}

/** A store, a payment service and a ledger between them, for bulks. */
export class BulkFixture {
  ledger: Ledger
  readonly #workers: Worker[] = []

  private constructor(
    readonly store: OpenDatabase,
    readonly service: PaymentLedgerService,
    readonly actor: Actor,
  ) {
    this.ledger = makeTestLedger(store, service.url)
  }

  static async start(store?: OpenDatabase): Promise<BulkFixture> {
    const opened = store ?? (await openMemoryStore())
    return new BulkFixture(opened, await startPaymentLedgerService(), await addActor(opened))
  }

  /** Resets to a sound service without payments and a ledger without memory. */
  reset(parts: Partial<Ledger> = {}): void {
    this.service.mend()
    this.service.payments.clear()
    this.service.deletes.length = 0
    const capabilities = forgetCapabilities(this.store)
    this.ledger = makeTestLedger(this.store, this.service.url, { parts: { capabilities, ...parts } })
  }

  add(count: number) {
    return Array.from({ length: count }, () => this.service.add())
  }

  async view(bulk: Pick<BulkRow, 'id'>): Promise<BulkView> {
    return viewBulk(this.store.db, await findBulk(this.store.db, this.ledger, bulk.id))
  }

  /** Prepares a list and returns it, ready or failed. */
  async list(request: BulkRequest, proofs: CapabilityProofs = {}): Promise<BulkView> {
    const bulk = await createBulk(this.ledger, this.actor, request)
    await prepareBulk(this.ledger, bulk, { request, proofs })
    return this.view(bulk)
  }

  /** Prepares a list of payments and starts it as a user who saw it. */
  async start(payments: readonly { id: string }[], actor: Actor = this.actor): Promise<BulkView> {
    const view = await this.list(listOf(payments))
    await startBulk(this.ledger, actor, { bulkId: view.id, given: confirm(view) })
    return this.view(view)
  }

  /** Polls a bulk until `until` holds, at most two minutes; checks that progress never decreases or exceeds the total. */
  async watch(bulk: { id: string }, until = ({ state }: BulkView) => state === 'finished'): Promise<BulkView> {
    let settled = 0
    for (const begin = Date.now(); Date.now() - begin < 115_000; ) {
      const view = await this.view(bulk)
      if (view.settled < settled || view.settled > view.count)
        throw new Error(`progress went from ${settled} to ${view.settled} of ${view.count}`)
      settled = view.settled
      if (until(view)) return view
      await wait(20)
    }
    throw new Error(`still ${JSON.stringify(await this.view(bulk))}`)
  }

  rowsOf(bulk: { id: string }): Promise<CancellationRow[]> {
    return this.store.db
      .select()
      .from(cancellations)
      .where(eq(cancellations.bulkId, bulk.id))
      .orderBy(asc(cancellations.paymentId))
  }

  /** The DELETEs of a payment in the service's own log. */
  deletesOf({ id }: { id: string }): LoggedDelete[] {
    return this.service.deletes.filter(({ paymentId }) => paymentId === id)
  }

  /** Runs the workers until `rest`. */
  async work(ledger: Ledger = this.ledger): Promise<Worker> {
    const worker = await runWorkers(ledger)
    this.#workers.push(worker)
    return worker
  }

  /** Stops the workers and closes what a test left open, so that it doesn't affect the next. */
  async rest(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.stop()))
    await this.store.db
      .update(cancellations)
      .set({ closedAt: new Date(), state: 'not-cancelled' })
      .where(isNull(cancellations.closedAt))
  }

  /** The activity log's entries about a bulk, in order: action and actor. */
  async actionsOf(bulk: { id: string }): Promise<[string, string][]> {
    const rows = await this.store.db
      .select()
      .from(activity)
      .where(and(eq(activity.objectKind, 'bulk'), eq(activity.objectId, bulk.id)))
      .orderBy(activity.sequence)
    return rows.map(({ action, actor }) => [action, actor])
  }

  async close(): Promise<void> {
    await this.service.close()
    await this.store.close()
  }
}
