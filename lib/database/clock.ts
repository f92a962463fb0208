import { uptime } from 'node:os'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, StoreClock } from './database'

/** `uptime` is told in hundredths of a second at best. */
const COARSE_MS = 1_000

/**
 * A clock that only goes forward while the process lives, whatever is done to the host's, and counts the time in which
 * the machine slept: the monotonic clock stands still then, the machine's uptime does not. Milliseconds since the epoch.
 */
export function makeMonotonic(
  origin: number,
  { running, up }: { running: () => number; up: () => number },
): () => number {
  const began = up() * 1_000 - running()
  let slept = 0
  return () => {
    const now = running()
    const standstill = up() * 1_000 - now - began
    if (standstill > slept + COARSE_MS) slept = standstill
    return origin + now + slept
  }
}

export const readMonotonic = makeMonotonic(performance.timeOrigin, { running: () => performance.now(), up: uptime })

function literal(milliseconds: number): SQL<Date> {
  return sql<Date>`${new Date(milliseconds).toISOString()}::timestamptz`
}

/** The database's own clock, so many milliseconds from now; not that of the transaction, which may have waited. */
export function databaseTime(milliseconds = 0): SQL<Date> {
  return milliseconds === 0
    ? sql<Date>`clock_timestamp()`
    : sql<Date>`clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`
}

/** Whether a moment is more than so many days ago, by the clock of the database. */
export function isOlderThan(moment: SQLWrapper, days: number): SQL {
  return sql`${moment} < now() - ${days}::float8 * interval '1 day'`
}

/** The clock of a store that this process alone has open: its own. */
export function makeProcessClock(): StoreClock {
  return {
    sql: (milliseconds = 0) => literal(readMonotonic() + milliseconds),
    stamp: () => literal(Date.now()),
    wall: () => new Date(),
    now: () => new Date(readMonotonic()),
    refresh: async () => undefined,
  }
}

const answer = z.object({ rows: z.tuple([z.object({ now: z.union([z.string(), z.date()]) })]) })

/** The clock of a Postgres that several processes share. Throws what the database throws. */
export async function openDatabaseClock(db: Database): Promise<StoreClock> {
  let lag = 0
  const refresh = async () => {
    const read = answer.parse(await db.execute(sql`select clock_timestamp() as now`))
    // As of the arrival of the answer it is at least as late there.
    lag = readMonotonic() - new Date(read.rows[0].now).getTime()
  }
  await refresh()
  const now = () => new Date(readMonotonic() - lag)
  return { sql: databaseTime, stamp: () => databaseTime(), wall: now, now, refresh }
}
