import { and, type Column, eq, gt, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { databaseTime, readMonotonic } from '@/lib/database/clock'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { timeStore } from '../metrics/instruments'
import { cancellations, deskPresence } from './schema'

/** The database's time, plus milliseconds, as an expression. */
type StoreTime = (milliseconds?: number) => SQL<Date>

/** The clocks of two desks are never this far apart. */
export const MAX_SKEW_MS = 20 * 60_000

/** No lease or due time lies further ahead; one that does was written by another clock. */
const FURTHEST_MS = 20 * 60_000

/** Whether a time has passed or was never set: an expired lease, or work that is due. */
export function isPast(column: Column, time: StoreTime = databaseTime): SQL | undefined {
  return or(isNull(column), lte(column, time()), gt(column, time(FURTHEST_MS)))
}

/** Whether a lease is currently held, as a value. */
export function isLeased(leaseUntil: Column): SQL<boolean> {
  return sql<boolean>`coalesce(${leaseUntil} > ${databaseTime()} and ${leaseUntil} <= ${databaseTime(FURTHEST_MS)}, false)`
}

/**
 * Whether a stored time is unchanged since it was read. A process may have lost its lease and taken it again for other
 * work.
 */
export function isSameTime(column: Column, read: Date | null): SQL {
  return read === null ? isNull(column) : eq(column, read)
}

type Store = Pick<OpenDatabase, 'db' | 'clock'>

const BEAT_MS = 10_000
/** After this long without a heartbeat no desk is running on the store. */
const SILENCE_MS = 3 * BEAT_MS

/**
 * Writes this desk's heartbeat. If there was none for a while, that time is deducted from the age of open cancellations,
 * because nobody could check them; restarts beside a running desk and frequent restarts thus extend nothing. Unsent
 * cancellations age regardless. Throws store errors.
 */
export async function signLife({ db, clock }: Store): Promise<void> {
  const write = async (tx: Database): Promise<void> => {
    const now = clock.sql()
    await tx.insert(deskPresence).values({ seenAt: now }).onConflictDoNothing()
    // Locked, so that of two desks returning at once only one sees the gap.
    const [found] = await tx
      .select({ silence: sql<number>`extract(epoch from ${now} - ${deskPresence.seenAt})::float8 * 1000` })
      .from(deskPresence)
      .for('update')
    await tx.update(deskPresence).set({ seenAt: now })
    const silence = found?.silence ?? 0
    if (silence < SILENCE_MS) return
    const later = (column: typeof cancellations.undecidedSince | typeof cancellations.lastFoundAt) =>
      // `least` ignores nulls and would return the present.
      sql`case when ${column} is not null then least(${now}, ${column} + ${silence}::float8 * interval '1 millisecond') end`
    await tx
      .update(cancellations)
      .set({
        undecidedSince: later(cancellations.undecidedSince),
        lastFoundAt: later(cancellations.lastFoundAt),
      })
      .where(
        and(
          isNull(cancellations.closedAt),
          notInArray(cancellations.state, ['intended', 'waiting']),
          isPast(cancellations.leaseUntil, clock.sql),
        ),
      )
  }
  await timeStore('heartbeat', () => db.transaction(write))
}

declare global {
  /** This process's last heartbeat, by its monotonic clock; global because Next loads this module once per graph. */
  var debitdeskSeenAt: number | undefined
}

/** Writes a heartbeat if the last one is some seconds old; called before each pass over due work. Throws store errors. */
export async function keepPresence(store: Store): Promise<void> {
  const now = readMonotonic()
  if (now - (globalThis.debitdeskSeenAt ?? Number.NEGATIVE_INFINITY) < BEAT_MS) return
  const last = globalThis.debitdeskSeenAt
  // Set before writing, because the workers of many merchants share it.
  globalThis.debitdeskSeenAt = now
  try {
    await signLife(store)
  } catch (error) {
    globalThis.debitdeskSeenAt = last
    throw error
  }
}
