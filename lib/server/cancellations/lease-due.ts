import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { cancellations } from '../store/schema'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'

/** No due time and no lease lies further ahead than this; one that does was written under another clock. */
const furthest = 20 * 60_000
const most = 500

/**
 * Takes the open cancellations that are due and that nobody works on, for this process alone. One without a
 * due time is due when its lease has run out: whoever was at it is gone.
 */
export async function leaseDue({ db, connectionId, clock, rules, memory }: Ledger): Promise<CancellationRow[]> {
  const now = clock.now()
  const isPast = (column: typeof cancellations.dueAt | typeof cancellations.leaseUntil) =>
    or(isNull(column), lte(column, now), gt(column, after(now, furthest)))
  return db.transaction(async (tx) => {
    const due = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          isNull(cancellations.closedAt),
          isPast(cancellations.dueAt),
          isPast(cancellations.leaseUntil),
        ),
      )
      .orderBy(asc(cancellations.dueAt))
      .limit(most)
      .for('update', { skipLocked: true })
    return tx
      .update(cancellations)
      .set({
        leaseHolder: memory.holder,
        leaseUntil: after(now, rules.lease),
        // An age below nothing would never end a grace.
        stateSince: sql`least(${cancellations.stateSince}, ${now.toISOString()}::timestamptz)`,
      })
      .where(inArray(cancellations.id, due))
      .returning()
  })
}
