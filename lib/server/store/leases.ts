import { and, type Column, eq, gt, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { databaseTime, readMonotonic } from '@/lib/database/clock'
import type { OpenDatabase } from '@/lib/database/database'
import { cancellations, deskPresence } from './schema'

/** The time of the store so many milliseconds from now, as an expression. */
type StoreTime = (milliseconds?: number) => SQL<Date>

/** No lease and no due time lies further ahead; one that does was written under another clock. */
const FURTHEST_MS = 20 * 60_000

/** Whether a time has come, or was never set: a lease that ran out, work that is due. */
export function isPast(column: Column, time: StoreTime = databaseTime): SQL | undefined {
  return or(isNull(column), lte(column, time()), gt(column, time(FURTHEST_MS)))
}

/** Whether somebody holds a lease at this moment, as a value. */
export function isLeased(leaseUntil: Column): SQL<boolean> {
  return sql<boolean>`coalesce(${leaseUntil} > ${databaseTime()} and ${leaseUntil} <= ${databaseTime(FURTHEST_MS)}, false)`
}

/**
 * Whether a stored time is still the one that was read. Of a lease: the process that took it may have lost it and taken it
 * anew since, for other work.
 */
export function isSameTime(column: Column, read: Date | null): SQL {
  return read === null ? isNull(column) : eq(column, read)
}

type Store = Pick<OpenDatabase, 'db' | 'clock'>

const BEAT_MS = 10_000
/** After so long without a sign of life no desk is running on the store. */
const SILENCE_MS = 3 * BEAT_MS

/**
 * Leaves a sign of life in the store. Where no desk has left one for a while, the time since then is taken out of the age of
 * open cancellations: nobody could look. So neither a restart beside another desk nor many restarts renew anything.
 * What was not sent grows old all the same. Throws what the store throws.
 */
export async function signLife({ db, clock }: Store): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.sql()
    await tx.insert(deskPresence).values({ seenAt: now }).onConflictDoNothing()
    // Locked: of two desks that come back at once one alone finds that nobody was there.
    const [found] = await tx
      .select({ silence: sql<number>`extract(epoch from ${now} - ${deskPresence.seenAt})::float8 * 1000` })
      .from(deskPresence)
      .for('update')
    await tx.update(deskPresence).set({ seenAt: now })
    const silence = found?.silence ?? 0
    if (silence < SILENCE_MS) return
    const later = (column: typeof cancellations.undecidedSince | typeof cancellations.lastFoundAt) =>
      // `least` of nothing and the present would be the present.
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
  })
}

declare global {
  /** The last sign of life of this process, by its monotonic clock; Next loads this module once per graph. */
  var debitdeskSeenAt: number | undefined
}

/** Leaves a sign of life if the last one is some seconds old: before each pass over what is overdue. Throws what the store throws. */
export async function keepPresence(store: Store): Promise<void> {
  const now = readMonotonic()
  if (now - (globalThis.debitdeskSeenAt ?? Number.NEGATIVE_INFINITY) < BEAT_MS) return
  const last = globalThis.debitdeskSeenAt
  // Before it is written: the workers of many merchants share one.
  globalThis.debitdeskSeenAt = now
  try {
    await signLife(store)
  } catch (error) {
    globalThis.debitdeskSeenAt = last
    throw error
  }
}
