import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { OutcomeReason } from '@/lib/contract/cancellation'
import { cancellations } from '../store/schema'
import { attend } from './attend'
import { isNotBulkTurn } from './bulk-turn'
import { changeState } from './change-state'
import type { ReadEvidence } from './evidence'
import type { Ledger } from './ledger'
import { leaseThese } from './lease-due'
import { closeUnsent } from './resume-intent'
import type { CancellationState } from './states'

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
        isNotBulkTurn,
        inArray(cancellations.state, undecided),
        lte(cancellations.undecidedSince, clock.store.sql(-rules.personBy)),
      ),
    )
    .limit(most)
  const ids = overdue.map(({ id }) => id)
  const rows = await leaseThese(ledger, undecided, ids)
  for (const row of rows) {
    const outcomeReason = explainSilence(row.evidence.read)
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
    const detail = row.evidence.read?.status ?? row.detail
    await attend(ledger, row, () => changeState(ledger, row, 'needs-person', { outcomeReason, detail }))
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
        isNotBulkTurn,
        or(
          and(eq(state, 'intended'), lte(stateSince, clock.store.sql(-rules.intentLives))),
          and(eq(state, 'waiting'), lte(undecidedSince, clock.store.sql(-rules.personAfter))),
        ),
      ),
    )
    .limit(most)
  const ids = stale.map(({ id }) => id)
  const rows = await leaseThese(ledger, ['intended', 'waiting'], ids)
  for (const row of rows) await attend(ledger, row, () => closeUnsent(ledger, row))
  return rows.length
}
