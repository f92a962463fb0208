import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { openPglite } from './open-pglite'
import { openPostgres, type PostgresTimeouts } from './open-postgres'
import type { StoreClock } from './clock'

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

/**
 * Opens a database and brings its schema up to date: Postgres where `url` is given, else PGlite in
 * `folder` under an exclusive lock (FolderLockedError names the holder), else PGlite in memory.
 * Migrations run under a lock, so two processes may start at once on Postgres. Throws DatabaseError, whose
 * message is for people, when a database must not be used: damaged, newer than this program, without room.
 */
export function openDatabase(options: {
  url?: string
  folder?: string
  migrationsFolder: string
  /** Of Postgres, where other than the usual ones are to hold. */
  timeouts?: Partial<PostgresTimeouts>
}): Promise<OpenDatabase> {
  return options.url
    ? openPostgres(options.url, options.migrationsFolder, options.timeouts)
    : openPglite(options.folder, options.migrationsFolder)
}
