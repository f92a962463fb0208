import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { DatabaseError } from '@/lib/database/errors'

/**
 * Grants a role of the Postgres at `url` what postgres-role.sql lists, all or nothing. `url` is the owner's address.
 * Throws DatabaseError when there is no such role or nothing was granted, and errors of Postgres.
 */
export async function grantRole(role: string, url: string): Promise<void> {
  const grants = await readFile(join(process.cwd(), 'lib/server/store/postgres-role.sql'), 'utf8')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(grants.replaceAll(':"role"', pg.escapeIdentifier(role)))
    // To one who may not grant, Postgres only gives a warning.
    const { rows } = await client.query<{ granted: boolean }>(
      "select has_schema_privilege($1, 'drizzle', 'usage') and has_table_privilege($1, 'public.cancellations', 'insert') as granted",
      [role],
    )
    if (rows[0]?.granted !== true)
      throw new DatabaseError(`Nothing was granted to ${role}: DATABASE_URL must be the owner's address.`, '42501')
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42704')
      throw new DatabaseError(`There is no role ${role}.`, '42704', { cause: error })
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
