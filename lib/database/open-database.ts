import type { OpenDatabase } from './database'
import type { MigrationPolicy } from './migrations'
import { openPglite } from './open-pglite'
import { openPostgres, type PostgresTimeouts } from './open-postgres'

/**
 * Opens a database and migrates it: Postgres if `url` is given, else PGlite in `folder` under an exclusive lock
 * (FolderLockedError names the holder), else PGlite in memory. Migrations run under a lock, so that two processes may
 * start at once on Postgres. Throws DatabaseError, with a message for people, when a database must not be used: damaged,
 * newer than this program, older and not to be migrated, left by an interrupted restore, or without disk space.
 */
export function openDatabase(options: {
  url?: string
  folder?: string
  migrationsFolder: string
  /** Default: 'always'. */
  migrate?: MigrationPolicy
  /** Overrides of the default timeouts of Postgres. */
  timeouts?: Partial<PostgresTimeouts>
}): Promise<OpenDatabase> {
  const migrations = { folder: options.migrationsFolder, policy: options.migrate ?? 'always' }
  return options.url ? openPostgres(options.url, migrations, options.timeouts) : openPglite(options.folder, migrations)
}
