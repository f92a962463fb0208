import { getTableName, sql, type Table } from 'drizzle-orm'
import type { OpenDatabase } from '@/lib/database/open-database'

/**
 * Makes the room of deleted rows of these tables usable again, and that of the write-ahead log. Postgres does both by
 * itself; PGlite has no process for it, and its folder would grow with each delivery and each export. On PGlite nothing
 * else is done meanwhile: some milliseconds for a few megabytes.
 */
export async function reclaimSpace({ db, kind }: Pick<OpenDatabase, 'db' | 'kind'>, tables: Table[]): Promise<void> {
  if (kind !== 'pglite') return
  for (const table of tables) await db.execute(sql`vacuum ${sql.identifier(getTableName(table))}`)
  await db.execute(sql`checkpoint`)
}
