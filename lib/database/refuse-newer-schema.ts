import { readMigrationFiles } from 'drizzle-orm/migrator'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { DatabaseRefusal } from './database-refusal'

function firstRow(result: unknown): Record<string, unknown> {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : []
  return Array.isArray(rows) ? Object(rows[0]) : {}
}

/**
 * Refuses a database whose schema is newer than this program's migrations: an older program would write rows
 * that break the newer one's rules. Throws DatabaseRefusal. Answers whether nothing is left to migrate.
 */
export async function refuseNewerSchema(
  db: PgDatabase<PgQueryResultHKT, Record<string, never>>,
  migrationsFolder: string,
): Promise<boolean> {
  const found = await db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as migrated`)
  if (firstRow(found).migrated !== true) return false
  const newest = await db.execute(sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`)
  const known = Math.max(0, ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  const applied = Number(firstRow(newest).at ?? 0)
  if (applied > known) {
    throw new DatabaseRefusal(
      'The database was changed by a newer version of Debitdesk than this one. Start that version, or restore a backup made before.',
      '0A000',
    )
  }
  return applied === known
}
