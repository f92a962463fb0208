import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/**
 * Time as a database keeps it: whatever is stored of leases, due times and ages is written and compared by it, so that
 * processes whose own clocks differ agree (docs/decisions/0110-whose-clock-the-ledger-trusts.md).
 */
export type StoreClock = {
  /** The time so many milliseconds from now, for a statement; evaluated by the database where several processes share it. */
  sql: (milliseconds?: number) => SQL<Date>
  /** The moment as people are to read it later, for a statement. */
  stamp: () => SQL<Date>
  /** The same for what is put together here: as this process last heard it. */
  wall: () => Date
  /** The time as this process last heard it plus what has passed since: never ahead of the database's. */
  now: () => Date
  /** Hears the time anew: after a pause of the process `now` lags behind until then. Throws what the store throws. */
  refresh: () => Promise<void>
}

/** A database or an open transaction of it; the same on PGlite and on Postgres. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  /**
   * On Postgres a transaction that a conflict undid is run again, so that what is given to `transaction`
   * must change nothing but the database. There a transaction throws CommitUnknownError when the answer to its COMMIT
   * was lost.
   */
  db: Database
  kind: 'pglite' | 'postgres'
  /** Whose time leases, due times and ages are written in. */
  clock: StoreClock
  /** While it stands still, nothing in the database has changed (see countWrites). Absent where others may write too. */
  countWrites?: () => number
  /** To be called when the process begins to end: who wants the folder then waits for it instead of giving up. */
  announceClose: () => void
  /** Ends connections and gives the folder's lock back. */
  close: () => Promise<void>
}
