import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseError } from './errors'

/**
 * Throws DatabaseError when `client`'s session is not its own: a pooler in transaction mode, such as PgBouncer's, would
 * leave the migrations' lock with a connection of the pool for ever and pass the limits of time to others. LISTEN tells
 * the two apart, since a pooler in that mode accepts it to no effect. A second connection notifies, so that the first
 * has no statement under way by which the notification could still reach it.
 */
export async function requireSession(client: pg.Client, url: string, timeout: number): Promise<void> {
  const channel = `session_${randomUUID().replaceAll('-', '')}`
  const heard = new AbortController()
  client.on('notification', () => heard.abort())
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeout, query_timeout: timeout })
  other.on('error', () => undefined)
  try {
    await client.query(`listen ${channel}`)
    await other.connect()
    await other.query(`notify ${channel}`)
    await pause(timeout, undefined, { signal: heard.signal }).catch(() => undefined)
    await client.query('unlisten *')
  } finally {
    await other.end().catch(() => undefined)
  }
  if (heard.signal.aborted) return
  throw new DatabaseError(
    'The database is behind a pooler in transaction mode, such as PgBouncer, which gives each transaction another session: lead the address to Postgres itself, or to a pool in session mode (pool_mode = session).',
    '08P01',
  )
}
