import { and, eq, type SQL } from 'drizzle-orm'
import { appendActivity } from '../activity/append-activity'
import { isSameTime } from '../store/lease'
import { cancellations } from '../store/schema'
import { describeChange } from './change-state'
import { isFirstMiss } from './decide'
import type { ReadEvidence } from './evidence'
import type { CancellationRow, Ledger } from './ledger'

/** The row as it was when it was taken, under the same lease. */
function isStillAt({ id, state, attempts, leaseUntil }: CancellationRow): SQL | undefined {
  return and(
    eq(cancellations.id, id),
    eq(cancellations.state, state),
    eq(cancellations.attempts, attempts),
    isSameTime(cancellations.leaseUntil, leaseUntil),
  )
}

type Note = { lastRead: string; agreeingReads: number; delay: number; evidence: ReadEvidence }

/**
 * Writes down a read that ended nothing, and when the next is due. The activity log gets a row only when
 * the read said something else than the one before it: most say the same.
 */
export async function noteRead(
  ledger: Ledger,
  row: CancellationRow,
  { lastRead, agreeingReads, delay, evidence }: Note,
): Promise<void> {
  const { store } = ledger.clock
  await ledger.db.transaction(async (tx) => {
    const [noted] = await tx
      .update(cancellations)
      .set({
        lastRead,
        agreeingReads,
        // From the first miss on it counts how long an accepted one is missing.
        ...((evidence.kind === 'found' || (row.state === 'accepted' && isFirstMiss(row))) && {
          lastFoundAt: store.sql(),
        }),
        evidence: { ...row.evidence, read: evidence },
        dueAt: store.sql(delay),
        leaseHolder: null,
        leaseUntil: null,
      })
      .where(isStillAt(row))
      .returning()
    if (!noted || row.lastRead === lastRead) return
    await appendActivity(tx, {
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: 'cancellation.read',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: describeChange(noted),
    })
  })
}

/** Gives a cancellation back that could not be worked on now, to be taken up again after `delay` milliseconds. */
export async function postpone({ db, clock }: Ledger, row: CancellationRow, delay: number): Promise<void> {
  await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql(delay), leaseHolder: null, leaseUntil: null })
    .where(isStillAt(row))
}
