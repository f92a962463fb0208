import { and, asc, eq, gte, inArray, lte, notInArray, or } from 'drizzle-orm'
import { isQueuedInBulk } from '../cancellations/leases'
import { addMilliseconds, type CancellationRow, type Ledger } from '../cancellations/ledger'
import { bulkRows } from '../store/bulk-schema'
import { isPast } from '../store/leases'
import { cancellations } from '../store/schema'

/** How many rows to lease, for how many ms, and which of them by id. */
export type Claim = { limit: number; lease: number; only?: readonly string[]; except?: readonly string[] }

/** Leases sendable rows of a bulk to this process, so that several desks on one store can share the work. */
export async function claimRows(
  ledger: Ledger,
  bulkId: string,
  { limit, lease, only, except = [] }: Claim,
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
          only && inArray(cancellations.id, [...only]),
          except.length > 0 ? notInArray(cancellations.id, [...except]) : undefined,
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

/** Which of the rows with these ids are still to be sent in these bulks. */
export async function listUnsent(
  { db }: Ledger,
  bulkIds: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(inArray(cancellations.id, [...ids]), inArray(cancellations.bulkId, [...bulkIds]), isQueuedInBulk))
  return rows.map(({ id }) => id)
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

/** Whether a request of this connection was sent or answered since then, by any desk: the list may have moved. */
export async function hasSentSince({ db, connectionId, clock, rules }: Ledger, since: Date): Promise<boolean> {
  const { sentAt, state, stateSince } = cancellations
  const isAnswered = and(
    gte(sentAt, addMilliseconds(since, -rules.sendTimeoutMs)),
    gte(stateSince, since),
    // Times ahead are of a clock that was.
    lte(stateSince, clock.store.sql()),
  )
  const sent = await db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), or(eq(state, 'sending'), isAnswered)))
    .limit(1)
  return sent.length > 0
}
