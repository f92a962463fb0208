import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { OutcomeReason } from '@/lib/domain/cancellations/cancellation'
import { cancellations } from '../store/schema'
import { changeState } from './change-state'
import { isNotQueuedInBulk, leaseByIds, postpone, runIsolated } from './leases'
import { type CancellationRow, elapsed, type Ledger } from './ledger'
import { askDuringHold, measureHold } from './payment-pages'
import type { CancellationState } from './states'

/** Whether an unsent intent is too old to send without being requested again. */
export function isStale({ clock, rules }: Ledger, row: CancellationRow): boolean {
  const age =
    row.state === 'intended'
      ? elapsed(row.stateSince, clock.store.now())
      : elapsed(row.undecidedSince ?? row.stateSince, clock.store.now())
  // A negative age came from another clock and proves nothing; not sending is the safe choice.
  return Math.abs(age) > (row.state === 'intended' ? rules.maxIntentAgeMs : rules.reviewAfterMs)
}

/** Closes an intent of which no request got through. */
export async function closeUnsent(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'not-cancelled', { outcomeReason: 'not-sent' })
}

const MAX_OVERDUE = 500
/** States in which the effect of the request is unknown. */
const undecidedStates: CancellationState[] = ['unknown', 'declined']

/** Derives the reason from the last reading. */
function toOverdueReason({ state, evidence: { read } }: CancellationRow): OutcomeReason {
  if (read?.kind === 'found') return state === 'declined' ? 'declined-unconfirmed' : 'unconfirmed'
  return read?.kind ?? 'unreadable'
}

/** Leases those whose outcome is still unknown so many ms after the first request. */
async function leaseOverdue(ledger: Ledger, age: number): Promise<CancellationRow[]> {
  const { db, connectionId, ownerId, clock } = ledger
  const overdue = await db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        ownerId === undefined ? undefined : eq(cancellations.userId, ownerId),
        isNull(cancellations.closedAt),
        isNotQueuedInBulk,
        inArray(cancellations.state, undecidedStates),
        lte(cancellations.undecidedSince, clock.store.sql(-age)),
      ),
    )
    .limit(MAX_OVERDUE)
  const ids = overdue.map(({ id }) => id)
  return leaseByIds(ledger, undecidedStates, ids)
}

async function askPerson(ledger: Ledger, rows: readonly CancellationRow[]): Promise<void> {
  for (const row of rows) {
    const outcomeReason = toOverdueReason(row)
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
    const detail = row.state === 'declined' ? row.detail : (row.evidence.read?.status ?? null)
    await runIsolated(ledger, row, () => changeState(ledger, row, 'needs-person', { outcomeReason, detail }))
  }
}

/**
 * Flags cancellations for manual review whose outcome is still unknown `reviewDeadlineMs` after the first request, even
 * if the payment was never readable. Returns how many.
 */
export async function closeOverdue(ledger: Ledger): Promise<number> {
  const rows = await leaseOverdue(ledger, ledger.rules.reviewDeadlineMs)
  await askPerson(ledger, rows)
  return rows.length
}

/**
 * What would be flagged next although a 429 asks to wait and nothing is read: the upstream API is asked once all the same.
 * Where it answers they are read, else a person is asked. Call only where the upstream API may be called.
 */
export async function lookBeforeReview(ledger: Ledger): Promise<void> {
  const { clock, memory, rules } = ledger
  const now = clock.now().getTime()
  if (measureHold(ledger) === 0 || now < memory.looksAgainAt) return
  const rows = await leaseOverdue(ledger, rules.reviewAfterMs)
  if (rows.length === 0) return
  // What is due meanwhile is looked for together.
  memory.looksAgainAt = now + (rules.reviewDeadlineMs - rules.reviewAfterMs) / 2
  if ((await askDuringHold(ledger)) > 0) return askPerson(ledger, rows)
  await Promise.all(rows.map((row) => postpone(ledger, row, 0)))
}

/** Closes unsent intents too old to send, for example because their owner was signed out. Returns how many. */
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
          and(eq(state, 'intended'), lte(stateSince, clock.store.sql(-rules.maxIntentAgeMs))),
          and(eq(state, 'waiting'), lte(undecidedSince, clock.store.sql(-rules.reviewAfterMs))),
        ),
      ),
    )
    .limit(MAX_OVERDUE)
  const ids = stale.map(({ id }) => id)
  const rows = await leaseByIds(ledger, ['intended', 'waiting'], ids)
  for (const row of rows) await runIsolated(ledger, row, () => closeUnsent(ledger, row))
  return rows.length
}
