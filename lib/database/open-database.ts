import type { OpenDatabase } from './database'
import { openPglite } from './open-pglite'
import { openPostgres, type PostgresTimeouts } from './open-postgres'

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
