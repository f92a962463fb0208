import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { OutcomeReason } from '@/lib/domain/cancellations/cancellation'
import { cancellations } from '../store/schema'
import { changeState } from './change-state'
import { closeByGuard, evaluateGuard } from './guard'
import { isNotQueuedInBulk, leaseByIds, runIsolated } from './leases'
import { type CancellationRow, elapsed, type Ledger } from './ledger'
import { readPayment } from './read-payment'
import { postpone } from './reconcile'
import { sendCancellation } from './send'
import type { CancellationState, ReadEvidence } from './states'

/** Whether an intent that was never sent is too old to be sent without being asked for again. */
export function isStale({ clock, rules }: Ledger, row: CancellationRow): boolean {
  const age =
    row.state === 'intended'
      ? elapsed(row.stateSince, clock.store.now())
      : elapsed(row.undecidedSince ?? row.stateSince, clock.store.now())
  // An age below nothing was measured by another clock: it proves nothing, and not sending is safe.
  return Math.abs(age) > (row.state === 'intended' ? rules.intentLives : rules.personAfter)
}

/** Closes an intent of which nothing reached the service. */
export async function closeUnsent(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'not-cancelled', { outcomeReason: 'not-sent' })
}

/**
 * Sends an intent that was interrupted before it was sent, or that had to wait, through the guard: what the
 * user saw must still hold. While the payment cannot be read it waits; too old, it is closed as not sent.
 */
export async function resumeIntent(ledger: Ledger, row: CancellationRow): Promise<void> {
  if (isStale(ledger, row)) return closeUnsent(ledger, row)
  const verdict = evaluateGuard(row, await readPayment(ledger, row.paymentId), ledger.rules)
  if (verdict.kind === 'unreadable') return postpone(ledger, row, ledger.rules.readEvery)
  if (verdict.kind === 'pass') await sendCancellation(ledger, row, verdict.payment)
  else await closeByGuard(ledger, row, verdict)
}

const most = 500
/** Those of which nobody knows whether they were done. */
const undecided: CancellationState[] = ['unknown', 'declined']

/** From the last read that there was. */
function explainSilence(read: ReadEvidence | undefined): OutcomeReason {
  if (read?.kind === 'found') return 'unconfirmed'
  return read?.kind ?? 'unreadable'
}

/**
 * Asks for a person where no reading came in time: whatever keeps the reads, nobody who waits is told later
 * than `personBy` after the first request. Answers how many. Throws what the store throws.
 */
export async function closeOverdue(ledger: Ledger): Promise<number> {
  const { db, connectionId, ownerId, clock, rules } = ledger
  const overdue = await db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
        isNull(cancellations.closedAt),
        isNotQueuedInBulk,
        inArray(cancellations.state, undecided),
        lte(cancellations.undecidedSince, clock.store.sql(-rules.personBy)),
      ),
    )
    .limit(most)
  const ids = overdue.map(({ id }) => id)
  const rows = await leaseByIds(ledger, undecided, ids)
  for (const row of rows) {
    const outcomeReason = explainSilence(row.evidence.read)
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
    const detail = row.evidence.read?.status ?? row.detail
    await runIsolated(ledger, row, () => changeState(ledger, row, 'needs-person', { outcomeReason, detail }))
  }
  return rows.length
}

/** Closes what was never sent and is too old to be: nobody may have been there who could send it. Answers how many. Throws what the store throws. */
export async function closeStale(ledger: Ledger): Promise<number> {
  const { db, connectionId, clock, rules } = ledger
  const { state, stateSince, undecidedSince } = cancellations
  const stale = await db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        isNull(cancellations.closedAt),
        isNotQueuedInBulk,
        or(
          and(eq(state, 'intended'), lte(stateSince, clock.store.sql(-rules.intentLives))),
          and(eq(state, 'waiting'), lte(undecidedSince, clock.store.sql(-rules.personAfter))),
        ),
      ),
    )
    .limit(most)
  const ids = stale.map(({ id }) => id)
  const rows = await leaseByIds(ledger, ['intended', 'waiting'], ids)
  for (const row of rows) await runIsolated(ledger, row, () => closeUnsent(ledger, row))
  return rows.length
}
