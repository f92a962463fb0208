import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { idKey } from '@/lib/domain/ids'
import { appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { cancellations, idKeyOf } from '../store/schema'
import { orStoreUnavailable } from '../store/store'
import { toReadEvidence } from './guard'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { getCancellationRow, toCancellationView } from './queries'
import { askDuringHold, measureHold } from './payment-pages'
import { readPayment } from './read-payment'
import { explainHold } from './request-cancellation'
import { type ManualCheck, pollingStates } from './states'
import * as m from '@/lib/messages/m'

/** Makes the worker read the payment of an open cancellation now, under the usual rules for polling and resending. */
export async function pollNow({ db, connectionId, clock, rules, memory }: Ledger, paymentId: string): Promise<void> {
  const updated = await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql() })
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        eq(idKeyOf(cancellations.paymentId), idKey(paymentId)),
        isNull(cancellations.closedAt),
        inArray(cancellations.state, [...pollingStates]),
        gt(cancellations.dueAt, clock.store.sql(rules.pollIntervalMs)),
      ),
    )
    .returning({ id: cancellations.id })
  if (updated.length > 0) memory.wake()
}

async function recordCheck(ledger: Ledger, actor: Actor, row: CancellationRow): Promise<CancellationRow> {
  const reading = await readPayment(ledger, row.paymentId, { isWaitedFor: true })
  const read = reading.kind === 'found' ? toReadEvidence(reading.payment) : reading
  const at = ledger.clock.wall()
  const checked: ManualCheck = { ...read, at: at.toISOString(), by: actor.email }
  return ledger.db.transaction(async (tx) => {
    const [updated] = await tx
      .update(cancellations)
      .set({ checked })
      .where(and(eq(cancellations.id, row.id), eq(cancellations.connectionId, ledger.connectionId)))
      .returning()
    await appendActivity(tx, {
      connectionId: row.connectionId,
      at,
      actor: actor.email,
      action: 'cancellation.checked',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: { cancellationId: row.id, userId: actor.userId, read },
    })
    return updated ?? row
  })
}

/** Finds the ledger whose worker handles the cancellations of this user. */
type OpenOwn = (userId: string) => Promise<Ledger>

async function checkRow(ledger: Ledger, actor: Actor, id: string, openOwn: OpenOwn): Promise<CancellationView> {
  const row = await getCancellationRow(ledger, id)
  if (row.closedAt === null) {
    const own = await openOwn(row.userId)
    // First, as another desk may not be held.
    await pollNow(own, row.paymentId)
    // The worker reads nothing before the time that a 429 named, unless what a person waits for is answered (UP-07); what
    // another user's access is answered says nothing about the owner's.
    const mayAsk = actor.apiToken === undefined && (own.ownerId === undefined || own.ownerId === actor.userId)
    const hold = mayAsk ? await askDuringHold(own) : measureHold(own)
    if (hold > 0) throw explainHold(hold)
    return toCancellationView(row)
  }
  if (row.state !== 'needs-person')
    throw new AppError('not-possible', { detail: m.refusals_thisCancellationHasEnded() })
  return toCancellationView(await recordCheck(ledger, actor, row))
}

/**
 * Reads a cancellation's payment now, on a user's request. An open cancellation is polled out of turn by the worker
 * under the usual rules; for one in manual review the reading is stored in `checked` and its outcome does not change.
 * `openOwn` finds the ledger whose worker handles a user's cancellations, if that is another. Throws AppError 'not-found',
 * 'not-possible' (it has ended), 'upstream-slow-down' or 'store-unavailable'.
 */
export function checkCancellation(
  ledger: Ledger,
  actor: Actor,
  id: string,
  openOwn: OpenOwn = () => Promise.resolve(ledger),
): Promise<CancellationView> {
  return orStoreUnavailable(() => checkRow(ledger, actor, id, openOwn))
}

/** Finds out why nothing was written. Repeating one's own note is no conflict. */
async function explainRejection(ledger: Ledger, actor: Actor, id: string, note: string): Promise<CancellationRow> {
  const row = await getCancellationRow(ledger, id)
  const { handled } = row
  if (handled?.userId === actor.userId && handled.note === note) return row
  if (handled) {
    const detail = m.refusals_alreadyHandledBy({ email: handled.by, time: handled.at })
    throw new AppError('conflict', { detail, extensions: { cancellation: toCancellationView(row) } })
  }
  throw new AppError('not-possible', { detail: m.refusals_onlyOneThatNeedsAPerson() })
}

/**
 * Records, once, that a user has dealt with a cancellation in manual review, and what they found. Its outcome does not
 * change. Throws AppError 'not-found', 'not-possible', 'conflict' (someone else was faster) or 'store-unavailable'.
 */
export function handleCancellation(
  ledger: Ledger,
  actor: Actor,
  { id, note }: { id: string; note: string },
): Promise<CancellationView> {
  const at = ledger.clock.wall()
  const handled = { at: at.toISOString(), by: actor.email, userId: actor.userId, note }
  const write = () =>
    ledger.db.transaction(async (tx) => {
      const [row] = await tx
        .update(cancellations)
        .set({ handled })
        .where(
          and(
            eq(cancellations.id, id),
            eq(cancellations.connectionId, ledger.connectionId),
            eq(cancellations.state, 'needs-person'),
            isNull(cancellations.handled),
          ),
        )
        .returning()
      if (!row) return null
      await appendActivity(tx, {
        connectionId: ledger.connectionId,
        at,
        actor: actor.email,
        action: 'cancellation.handled',
        objectKind: 'payment',
        objectId: row.paymentId,
        details: { cancellationId: id, userId: actor.userId, note },
      })
      return row
    })
  return orStoreUnavailable(async () =>
    toCancellationView((await write()) ?? (await explainRejection(ledger, actor, id, note))),
  )
}
