import { randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { DatabaseRefusal } from './database-refusal'
import type { Database, OpenDatabase } from './open-database'
import { refuseNewerSchema } from './refuse-newer-schema'
import { retryConflicts } from './retry-conflicts'

/** Any constant does: it only has to be the same in every process that migrates. */
const migrationLock = 4_217_001

/** Nobody waits for a database without end; what exceeds these fails and can be tried again. */
const patience = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 15_000,
  statement_timeout: 120_000,
  idle_in_transaction_session_timeout: 60_000,
}

const identityQuery = 'select id from drizzle.identity'

/** What tells this database from any other, an empty stand-in after a failover before all; made at the first opening. */
async function keepIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ kept: boolean }>("select to_regclass('drizzle.identity') is not null as kept")
  if (!rows[0]?.kept) {
    await client.query(
      'create table drizzle.identity (one boolean primary key default true check (one), id uuid not null)',
    )
    await client.query('insert into drizzle.identity (id) values ($1)', [randomUUID()])
  }
  return (await client.query<{ id: string }>(identityQuery)).rows[0]?.id ?? ''
}

async function migrateAlone(url: string, migrationsFolder: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience.connectionTimeoutMillis })
  // Its queries tell what went wrong; a connection that breaks between them must not end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const db = drizzle(client)
    // Where nothing is left to do, a role will do that may not change tables.
    const isCurrent = await refuseNewerSchema(db, migrationsFolder)
    if (!isCurrent) await migrate(db, { migrationsFolder })
    return await keepIdentity(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function openPool(url: string, identity: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    ...patience,
    verify: (client, done) =>
      client.query<{ id: string }>(identityQuery, (_error, result: pg.QueryResult<{ id: string }> | undefined) => {
        if (result?.rows[0]?.id === identity) return done()
        done(new DatabaseRefusal('The server now answers with another database than the one that was opened.', '08004'))
      }),
  })
  // An idle connection that breaks (a restart of the server) must not end the process.
  pool.on('error', () => undefined)
  // Nor one that breaks between two statements of a transaction: its next statement tells.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Puts retries around a method that answers a promise. */
function retryMethod(owner: object, name: string): void {
  const method: unknown = Reflect.get(owner, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
  Reflect.set(owner, name, (...given: unknown[]) =>
    retryConflicts(async (): Promise<unknown> => Reflect.apply(method, owner, given)),
  )
}

/** Transactions are run again as a whole, statements outside of one by themselves. */
function withRetries(pool: pg.Pool): Database {
  retryMethod(pool, 'query')
  const db = drizzle(pool)
  const transact: typeof db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await drizzle(client).transaction(work, config)
    } finally {
      // Drizzle's own never gives a connection back that breaks at BEGIN: after ten of them nothing works any more.
      client.release()
    }
  }
  Reflect.set(db, 'transaction', transact)
  retryMethod(db, 'transaction')
  return db
}

/**
 * Opens Postgres and brings its schema up to date under a lock, so that two processes may start at once. A
 * conflict between transactions is tried again; a connection to another database than the first is refused.
 */
export async function openPostgres(url: string, migrationsFolder: string): Promise<OpenDatabase> {
  const pool = openPool(url, await migrateAlone(url, migrationsFolder))
  return { db: withRetries(pool), kind: 'postgres', close: () => pool.end() }
}
