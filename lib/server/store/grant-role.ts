import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/**
 * Grants a role of the Postgres at `url` what postgres-role.sql lists, all or nothing. `url` is the owner's address.
 * Throws pg.DatabaseError, with code 42704 when there is no such role.
 */
export async function grantRole(role: string, url: string): Promise<void> {
  const grants = await readFile(join(process.cwd(), 'lib/server/store/postgres-role.sql'), 'utf8')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(grants.replaceAll(':"role"', pg.escapeIdentifier(role)))
  } finally {
    await client.end().catch(() => undefined)
  }
}
