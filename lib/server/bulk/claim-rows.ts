import { and, asc, eq, inArray } from 'drizzle-orm'
import { mayRole } from '@/lib/contract/permission'
import { isBulkTurn } from '../cancellations/bulk-turn'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { bulkRows, bulks } from '../store/bulk-schema'
import { isPast } from '../store/lease'
import { cancellations, memberships, users } from '../store/schema'
import type { BulkRow } from './bulk-row'

/** A bulk that runs, and whether whoever started it may still cancel payments. */
export type RunningBulk = { bulk: BulkRow; mayGoOn: boolean }

/** The running bulks of the connection, oldest first. Throws what the store throws. */
export async function findRunning({ db, connectionId, ownerId }: Ledger): Promise<RunningBulk[]> {
  const rows = await db
    .select({ bulk: bulks, disabledAt: users.disabledAt, role: memberships.role })
    .from(bulks)
    .leftJoin(users, eq(users.id, bulks.userId))
    .leftJoin(memberships, and(eq(memberships.userId, bulks.userId), eq(memberships.connectionId, bulks.connectionId)))
    .where(
      and(
        eq(bulks.connectionId, connectionId),
        ownerId === undefined ? undefined : eq(bulks.userId, ownerId),
        eq(bulks.state, 'running'),
      ),
    )
    .orderBy(asc(bulks.startedAt))
  return rows.map(({ bulk, disabledAt, role }) => ({
    bulk,
    mayGoOn: disabledAt === null && role !== null && mayRole(role, 'cancel'),
  }))
}

/**
 * Takes rows of a bulk that may be sent now, for this process alone: two desks on one store share the work. Throws
 * what the store throws.
 */
export async function claimRows(
  ledger: Ledger,
  bulkId: string,
  most: number,
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
          isBulkTurn,
          isPast(cancellations.dueAt, clock.store.sql),
          isPast(cancellations.leaseUntil, clock.store.sql),
        ),
      )
      // As the list was given: whoever pauses finds its beginning done.
      .orderBy(asc(bulkRows.position))
      .limit(most)
      .for('update', { of: cancellations, skipLocked: true })
    const ids = (await due).map(({ id }) => id)
    if (ids.length === 0) return []
    const taken = await tx
      .update(cancellations)
      .set({ leaseHolder: memory.holder, leaseUntil: clock.store.sql(lease) })
      .where(inArray(cancellations.id, ids))
      .returning()
    const places = new Map(ids.map((id, place) => [id, place]))
    return taken.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  })
}

/** Gives rows back that were taken and not sent, to be taken again after `delay` milliseconds. */
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
        isBulkTurn,
      ),
    )
}

/** Frees what an earlier process had taken, where no other can be at work. */
export async function freeLeases({ db, connectionId, isAlone }: Ledger): Promise<void> {
  if (!isAlone) return
  await db
    .update(cancellations)
    .set({ leaseHolder: null, leaseUntil: null })
    .where(and(eq(cancellations.connectionId, connectionId), isBulkTurn))
}
