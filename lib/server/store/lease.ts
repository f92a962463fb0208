import { type Column, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/store-clock'

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
