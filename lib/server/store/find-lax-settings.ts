import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'

const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * The settings of a Postgres that are off and keep it from having on its disk what it has acknowledged: with them a power
 * cut may lose what was told to people (ST-03). Empty where it keeps that promise.
 */
export async function findLaxSettings(db: Database): Promise<string[]> {
  const settings = sql`pg_settings`
  const rows = await db
    .select({ name: sql<string>`name` })
    .from(settings)
    .where(sql`name in ${needed} and setting = 'off'`)
    .orderBy(sql`name`)
  return rows.map(({ name }) => name)
}
