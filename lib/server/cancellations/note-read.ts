import { and, eq } from 'drizzle-orm'
import { appendActivity } from '../activity/append-activity'
import { cancellations } from '../store/schema'
import { describeChange } from './change-state'
import { isFirstMiss } from './decide'
import type { ReadEvidence } from './evidence'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'

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
  const now = ledger.clock.now()
  await ledger.db.transaction(async (tx) => {
    const [noted] = await tx
      .update(cancellations)
      .set({
        lastRead,
        agreeingReads,
        // From the first miss on it counts how long an accepted one is missing.
        ...((evidence.kind === 'found' || (row.state === 'accepted' && isFirstMiss(row))) && { lastFoundAt: now }),
        evidence: { ...row.evidence, read: evidence },
        dueAt: after(now, delay),
        leaseHolder: null,
        leaseUntil: null,
      })
      .where(
        and(eq(cancellations.id, row.id), eq(cancellations.state, row.state), eq(cancellations.attempts, row.attempts)),
      )
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
    .set({ dueAt: after(clock.now(), delay), leaseHolder: null, leaseUntil: null })
    .where(
      and(eq(cancellations.id, row.id), eq(cancellations.state, row.state), eq(cancellations.attempts, row.attempts)),
    )
}
