import { uptime } from 'node:os'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database, StoreClock } from './database'

/** `uptime` has a resolution of hundredths of a second at best. */
const RESOLUTION_MS = 1_000

/**
 * A monotonic clock in milliseconds since the epoch, unaffected by changes of the host's clock, that includes the time
 * the machine was suspended: the process's monotonic clock stands still then, the machine's uptime does not.
 */
export function makeMonotonic(
  origin: number,
  { running, up }: { running: () => number; up: () => number },
): () => number {
  const offset = up() * 1_000 - running()
  let suspended = 0
  return () => {
    const now = running()
    const gap = up() * 1_000 - now - offset
    if (gap > suspended + RESOLUTION_MS) suspended = gap
    return origin + now + suspended
  }
}

export const readMonotonic = makeMonotonic(performance.timeOrigin, { running: () => performance.now(), up: uptime })

function literal(milliseconds: number): SQL<Date> {
  return sql<Date>`${new Date(milliseconds).toISOString()}::timestamptz`
}

/** The database's current time plus milliseconds; not the transaction's time, which may be old. */
export function databaseTime(milliseconds = 0): SQL<Date> {
  return milliseconds === 0
    ? sql<Date>`clock_timestamp()`
    : sql<Date>`clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`
}

/** Whether a timestamp is more than `days` ago by the database's clock. */
export function isOlderThan(timestamp: SQLWrapper, days: number): SQL {
  return sql`${timestamp} < now() - ${days}::float8 * interval '1 day'`
}

/** The clock of a store that only this process has open: the process's own. */
export function makeProcessClock(): StoreClock {
  return {
    sql: (milliseconds = 0) => literal(readMonotonic() + milliseconds),
    stamp: () => literal(Date.now()),
    wall: () => new Date(),
    now: () => new Date(readMonotonic()),
    refresh: async () => undefined,
  }
}

const timeReply = z.object({ rows: z.tuple([z.object({ now: z.union([z.string(), z.date()]) })]) })

/** The clock of a Postgres shared by several processes. Throws database errors. */
export async function openDatabaseClock(db: Database): Promise<StoreClock> {
  let lag = 0
  const refresh = async () => {
    const read = timeReply.parse(await db.execute(sql`select clock_timestamp() as now`))
    // When the reply arrives, the database's clock is at least as late.
    lag = readMonotonic() - new Date(read.rows[0].now).getTime()
  }
  await refresh()
  const now = () => new Date(readMonotonic() - lag)
  return { sql: databaseTime, stamp: () => databaseTime(), wall: now, now, refresh }
}
