import { mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import { lockFolder } from './folder-lock'

/** A database or an open transaction of it; the same on PGlite and on Postgres. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

export type OpenDatabase = {
  db: Database
  kind: 'pglite' | 'postgres'
  /** Ends connections and gives the folder's lock back. */
  close: () => Promise<void>
}

/** Any constant does: it only has to be the same in every process that migrates. */
const migrationLock = 4_217_001

async function openPostgres(url: string, migrationsFolder: string): Promise<OpenDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5_000 })
  // An idle connection that breaks (a restart of the server) must not end the process.
  pool.on('error', () => undefined)
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migratePg(drizzlePg(client), { migrationsFolder })
    await client.query('select pg_advisory_unlock($1)', [migrationLock])
    client.release()
  } catch (error) {
    client.release(true)
    await pool.end()
    throw error
  }
  return { db: drizzlePg(pool) as unknown as Database, kind: 'postgres', close: () => pool.end() }
}

async function openPglite(folder: string | undefined, migrationsFolder: string): Promise<OpenDatabase> {
  if (folder) await mkdir(folder, { recursive: true })
  const unlock = folder ? await lockFolder(folder) : async () => undefined
  try {
    const client = await PGlite.create(folder ? { dataDir: `${folder}/pglite` } : {})
    const db = drizzlePglite(client)
    await migratePglite(db, { migrationsFolder })
    const close = async () => {
      await client.close()
      await unlock()
    }
    return { db: db as unknown as Database, kind: 'pglite', close }
  } catch (error) {
    await unlock()
    throw error
  }
}

/**
 * Opens a database and brings its schema up to date: Postgres where `url` is given, else PGlite in
 * `folder` under an exclusive lock (FolderLockedError names the holder), else PGlite in memory.
 * Migrations run under a lock, so two processes may start at once on Postgres.
 */
export function openDatabase(options: {
  url?: string
  folder?: string
  migrationsFolder: string
}): Promise<OpenDatabase> {
  return options.url
    ? openPostgres(options.url, options.migrationsFolder)
    : openPglite(options.folder, options.migrationsFolder)
}
