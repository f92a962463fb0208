import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { DatabaseError } from '@/lib/database/errors'

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Throws DatabaseError when the Postgres at `url` has no such role, and errors of Postgres. */
export async function requireRole(role: string, url: string): Promise<void> {
  const client = await connect(url)
  try {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
    if (rowCount === 0) throw new DatabaseError(`There is no role ${role}. Nothing was changed.`, '42704')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Grants a role of the Postgres at `url` what postgres-role.sql lists, all or nothing. `url` is the owner's address.
 * Throws DatabaseError when nothing was granted, and errors of Postgres.
 */
export async function grantRole(role: string, url: string): Promise<void> {
  const grants = await readFile(join(process.cwd(), 'lib/server/store/postgres-role.sql'), 'utf8')
  const client = await connect(url)
  try {
    await client.query(grants.replaceAll(':"role"', pg.escapeIdentifier(role)))
    // To one who may not grant, Postgres only gives a warning.
    const { rows } = await client.query<{ granted: boolean }>(
      "select has_schema_privilege($1, 'drizzle', 'usage') and has_table_privilege($1, 'public.cancellations', 'insert') as granted",
      [role],
    )
    if (rows[0]?.granted !== true)
      throw new DatabaseError(`Nothing was granted to ${role}: DATABASE_URL must be the owner's address.`, '42501')
  } finally {
    await client.end().catch(() => undefined)
  }
}
