import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { idKey } from '@/lib/domain/ids'
import { appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { cancellations, idKeyOf } from '../store/schema'
import { orStoreUnavailable } from '../store/store'
import { describePayment } from './guard'
import type { Actor, CancellationRow, Ledger } from './ledger'
import { getCancellationRow, toCancellationView } from './queries'
import { readPayment } from './read-payment'
import { type CheckedFacts, pollingStates } from './states'
import * as refusals from '@/lib/words/refusals'

/**
 * Has the open cancellation of a payment, if there is one that waits for a read, read now instead of later.
 * It decides nothing: the rules of reading and of sending again stay as they are.
 */
export async function pollNow({ db, connectionId, clock, rules, memory }: Ledger, paymentId: string): Promise<void> {
  const hastened = await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql() })
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        eq(idKeyOf(cancellations.paymentId), idKey(paymentId)),
        isNull(cancellations.closedAt),
        inArray(cancellations.state, [...pollingStates]),
        gt(cancellations.dueAt, clock.store.sql(rules.readEvery)),
      ),
    )
    .returning({ id: cancellations.id })
  if (hastened.length > 0) memory.wake()
}

async function look(ledger: Ledger, actor: Actor, row: CancellationRow): Promise<CancellationRow> {
  const reading = await readPayment(ledger, row.paymentId)
  const read = reading.kind === 'found' ? describePayment(reading.payment) : reading
  const at = ledger.clock.wall()
  const checked: CheckedFacts = { ...read, at: at.toISOString(), by: actor.email }
  return ledger.db.transaction(async (tx) => {
    const [looked] = await tx
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
    return looked ?? row
  })
}

async function check(ledger: Ledger, actor: Actor, id: string): Promise<CancellationView> {
  const row = await getCancellationRow(ledger, id)
  if (row.closedAt === null) {
    await pollNow(ledger, row.paymentId)
    return toCancellationView(row)
  }
  if (row.state !== 'needs-person') throw new AppError('not-possible', { detail: refusals.thisCancellationHasEnded })
  return toCancellationView(await look(ledger, actor, row))
}

/**
 * Reads the payment of a cancellation now, because a person wants to know. One that is open is read out of turn
 * by the worker, under the same rules as ever; of one that needs a person, what was read is kept beside it:
 * what is closed stays as it closed. Throws AppError 'not-found', 'not-possible' (it ended) or 'store-unavailable'.
 */
export function checkCancellation(ledger: Ledger, actor: Actor, id: string): Promise<CancellationView> {
  return orStoreUnavailable(() => check(ledger, actor, id))
}

/** Why nothing was written: it is not there, needs nobody, or somebody was quicker. The same word again is no conflict. */
async function explain(ledger: Ledger, actor: Actor, id: string, note: string): Promise<CancellationRow> {
  const row = await getCancellationRow(ledger, id)
  const { handled } = row
  if (handled?.userId === actor.userId && handled.note === note) return row
  if (handled) {
    const detail = `${handled.by} has marked it as handled at ${handled.at}.`
    throw new AppError('conflict', { detail, extensions: { cancellation: toCancellationView(row) } })
  }
  throw new AppError('not-possible', { detail: refusals.onlyOneThatNeedsAPerson })
}

/**
 * Notes that a person has dealt with a cancellation that needed one, and what they found. Its outcome stays what
 * it was: the note stands beside it, once, in the ledger and in the activity log. Throws AppError 'not-found',
 * 'not-possible', 'conflict' (somebody was quicker) or 'store-unavailable'.
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
  return orStoreUnavailable(async () => toCancellationView((await write()) ?? (await explain(ledger, actor, id, note))))
}
