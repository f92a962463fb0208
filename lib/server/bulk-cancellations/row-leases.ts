import { and, asc, eq, gt, gte, inArray, isNull, or } from 'drizzle-orm'
import { isQueuedInBulk } from '../cancellations/leases'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { bulkRows, bulks } from '../store/bulk-schema'
import { isPast } from '../store/leases'
import { cancellations } from '../store/schema'

/** Leases sendable rows of a bulk to this process, so that several desks on one store can share the work. */
export async function claimRows(
  ledger: Ledger,
  bulkId: string,
  limit: number,
  lease: number,
): Promise<CancellationRow[]> {
  const { db, clock, memory } = ledger
  return db.transaction(async (tx) => {
    const due = tx
      .select({ id: cancellations.id })
      .from(cancellations)
      .innerJoin(bulkRows, eq(bulkRows.cancellationId, cancellations.id))
      .where(
        and(
          eq(cancellations.bulkId, bulkId),
          isQueuedInBulk,
          isPast(cancellations.dueAt, clock.store.sql),
          isPast(cancellations.leaseUntil, clock.store.sql),
        ),
      )
      // In list order, so that a paused bulk is done up to some row.
      .orderBy(asc(bulkRows.position))
      .limit(limit)
      .for('update', { of: cancellations, skipLocked: true })
    const ids = (await due).map(({ id }) => id)
    if (ids.length === 0) return []
    const leased = await tx
      .update(cancellations)
      .set({ leaseHolder: memory.holder, leaseUntil: clock.store.sql(lease) })
      .where(inArray(cancellations.id, ids))
      .returning()
    const positions = new Map(ids.map((id, place) => [id, place]))
    return leased.toSorted((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
  })
}

/** Releases leased rows that were not sent, due again after `delay` ms. */
export async function releaseRows(
  { db, clock, memory }: Ledger,
  rows: readonly CancellationRow[],
  delay = 0,
): Promise<void> {
  if (rows.length === 0) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null, ...(delay > 0 && { dueAt: clock.store.sql(delay) }) })
    .where(
      and(
        inArray(
          cancellations.id,
          rows.map(({ id }) => id),
        ),
        eq(cancellations.leaseHolder, memory.holder),
        isQueuedInBulk,
      ),
    )
}

/** Extends leases of rows. Returns those that are still unsent and this process's. */
export async function renewRows(
  { db, clock, memory }: Ledger,
  rows: readonly CancellationRow[],
  lease: number,
): Promise<CancellationRow[]> {
  const ids = rows.map(({ id }) => id)
  const kept = db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(inArray(cancellations.id, ids), eq(cancellations.leaseHolder, memory.holder), isQueuedInBulk))
    // As where a stop closes them: a fixed lock order prevents deadlocks.
    .orderBy(asc(cancellations.id))
    .for('update')
  return db
    .update(cancellations)
    .set({ leaseUntil: clock.store.sql(lease) })
    .where(inArray(cancellations.id, kept))
    .returning()
}

/** Releases leases of an earlier process, if no other process can exist. */
export async function freeLeases({ db, connectionId, isAlone }: Ledger): Promise<void> {
  if (!isAlone) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null })
    .where(and(eq(cancellations.connectionId, connectionId), isQueuedInBulk))
}

/** Whether a request for a payment of a bulk was sent or answered since then, by any desk: the list may have moved. */
export async function hasSentSince({ db, connectionId }: Ledger, since: Date): Promise<boolean> {
  const running = db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(eq(bulks.connectionId, connectionId), or(isNull(bulks.endedAt), gte(bulks.endedAt, since))))
  const sent = and(
    inArray(cancellations.bulkId, running),
    gt(cancellations.attempts, 0),
    or(eq(cancellations.state, 'sending'), gte(cancellations.stateSince, since)),
  )
  return (await db.$count(cancellations, sent)) > 0
}
