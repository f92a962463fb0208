import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/**
 * A database's time. All stored leases, due times and ages are written and compared by it, so that processes whose own
 * clocks differ agree (docs/decisions/0110-whose-clock-the-ledger-trusts.md).
 */
export type StoreClock = {
  /** The current time plus milliseconds, for a statement; evaluated by the database if several processes share it. */
  sql: (milliseconds?: number) => SQL<Date>
  /** The wall-clock time shown to people, for a statement. */
  stamp: () => SQL<Date>
  /** The same for code of this process, as last learned. */
  wall: () => Date
  /** The time as last learned plus the time since then: never ahead of the database's. */
  now: () => Date
  /** Learns the time again; after the process was paused, `now` lags behind until then. Throws store errors. */
  refresh: () => Promise<void>
}

/** A database or an open transaction, on PGlite and Postgres alike. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** Receives the notifications of a channel (`NOTIFY`), of this process and of every other one on the database. */
export type NotificationListener = {
  onMessage: (payload: string) => void
  /**
   * Called when notifications begin to arrive, and when they no longer do: what happens in between is missed. The
   * database tries again by itself.
   */
  onState: (isListening: boolean) => void
}

export type OpenDatabase = {
  /**
   * On Postgres a transaction undone by a conflict is retried, so the callback of `transaction` must change nothing but
   * the database. A transaction there throws CommitUnknownError when the reply to its COMMIT was lost.
   */
  db: Database
  kind: 'pglite' | 'postgres'
  /** The time of leases, due times and ages. */
  clock: StoreClock
  /** A counter that is unchanged while the database is (see countWrites). Absent if others may write too. */
  countWrites?: () => number
  /**
   * Copies the files of the database as they are at one moment to `target`, a new folder, while statements wait: opened
   * there, it is as after a killed process. Absent on Postgres and in memory. Throws DatabaseError when the disk is full.
   */
  copyFiles?: (target: string) => Promise<void>
  /** Listens to a channel until the returned function is called or the database closes. */
  listen: (channel: string, listener: NotificationListener) => () => Promise<void>
  /** Call when the process begins to end: processes waiting for the folder then wait longer instead of giving up. */
  announceClose: () => void
  /** Closes connections and releases the folder's lock. */
  close: () => Promise<void>
}
