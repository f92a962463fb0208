import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ExtractTablesWithRelations, sql } from 'drizzle-orm'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgTransaction, PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { openDatabaseClock } from './clock'
import { CommitUnknownError, DatabaseError } from './errors'
import { listenOnPostgres } from './listen-postgres'
import { type Migrations, needsMigration, refuseRestoreComment, restoreCommentQuery } from './migrations'
import { requireSession } from './require-session'
import { tracedQuery } from './trace-statements'
import type { Database, OpenDatabase } from './database'

/** Serialization failure and deadlock: Postgres undid the transaction, which may be retried. */
const conflictCodes = new Set(['40001', '40P01'])
const MAX_RETRIES = 3
/** Doubled for each further retry. */
const FIRST_WAIT_MS = 20

function isConflict(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && conflictCodes.has(one.code)) return true
  return false
}

/**
 * Retries `attempt` when the database undid it because of a conflict: up to three times, after randomised waits. A broken
 * connection is not retried, since the attempt may have been committed.
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (retries === MAX_RETRIES || !isConflict(error)) throw error
      await pause(FIRST_WAIT_MS * 2 ** retries * (0.5 + Math.random()))
    }
  }
}

/** An arbitrary constant, the same in every process. */
const MIGRATION_LOCK_ID = 4_217_001

/** In milliseconds. */
export type PostgresTimeouts = {
  /** For connecting, and for waiting for a connection of the pool. */
  connect: number
  /** For a lock, enforced by the server. */
  lock: number
  /** For a statement, enforced by the server. */
  statement: number
  /** For a statement, enforced here in case the connection is dead; longer than the server's own limits. */
  answer: number
  /** For an idle transaction, which the server then ends, freeing its locks. */
  idleInTransaction: number
  /** For `close`, before remaining connections are cut. */
  close: number
}

/**
 * No wait for a database is unbounded; what exceeds these fails and may be retried. Waits for locks and connections
 * outlast `idleInTransaction`, and thus orphaned transactions.
 */
const defaultTimeouts: PostgresTimeouts = {
  connect: 10_000,
  lock: 10_000,
  statement: 15_000,
  answer: 20_000,
  idleInTransaction: 8_000,
  close: 700,
}

/** For commands that process whole tables without anybody waiting. */
export const longWork = { statement: 3_600_000, answer: 3_660_000, idleInTransaction: 3_600_000 }

/** An idle connection is probed after this time, to detect a dead peer. */
const KEEP_ALIVE_DELAY_MS = 10_000

/**
 * Set for each session, whatever the server's defaults. The first is for statements outside a transaction; the keepalives
 * let the server detect a dead client (no effect on Unix sockets or on systems without the option). Not as parameters of
 * the connection: PgBouncer refuses them, or drops them unnoticed.
 */
const sessionSettings = (timeouts: PostgresTimeouts) => `
  set default_transaction_isolation = 'read committed';
  set lock_timeout = ${timeouts.lock};
  set statement_timeout = ${timeouts.statement};
  set idle_in_transaction_session_timeout = ${timeouts.idleInTransaction};
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set tcp_user_timeout = 20000;`

const identityQuery = 'select id from drizzle.identity'

/** An id that distinguishes this database from any other, such as an empty one after a failover; created at the first opening. */
async function ensureIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ kept: boolean }>("select to_regclass('drizzle.identity') is not null as kept")
  if (!rows[0]?.kept) {
    await client.query(
      'create table drizzle.identity (one boolean primary key default true check (one), id uuid not null)',
    )
    await client.query('insert into drizzle.identity (id) values ($1)', [randomUUID()])
  }
  return (await client.query<{ id: string }>(identityQuery)).rows[0]?.id ?? ''
}

/** Of a session whose work may take long: whatever limits its role or database has. */
const unlimitedSession = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;`

/** Migrates on a connection without timeouts, since a migration may take long. */
async function migrateExclusively(url: string, migrations: Migrations, connectTimeout: number): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeout, keepAlive: true })
  // Failed queries report the error; a connection breaking between them must not end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(unlimitedSession)
    await requireSession(client, url, connectTimeout)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_ID])
    const db = drizzle(client)
    // With nothing to migrate, a role that may not change tables suffices.
    if (await needsMigration(db, migrations)) await migrate(db, { migrationsFolder: migrations.folder })
    return await ensureIdentity(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Whether the server replied, even with an error; otherwise the connection is unusable. */
function isAnswered(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

/** What a session must find: the id of the database that was opened. Only a restore itself works on one that isn't finished. */
type Expected = { identity: string; isRestoring: boolean }

/** Throws DatabaseError when the server has another database than the one opened, or one that is being restored. */
async function prepareSession(
  client: pg.ClientBase,
  { identity, isRestoring }: Expected,
  timeouts: PostgresTimeouts,
): Promise<void> {
  await client.query(sessionSettings(timeouts))
  // A backup of this database has its id.
  const { rows } = await client.query<{ comment: string | null }>(restoreCommentQuery)
  if (!isRestoring) refuseRestoreComment(rows[0]?.comment)
  const found = await client.query<{ id: string }>(identityQuery).catch((error: unknown) => {
    // An empty substitute has no such table.
    if (!isAnswered(error)) throw error
    return { rows: [] }
  })
  if (found.rows[0]?.id === identity) return
  throw new DatabaseError('The server now answers with another database than the one that was opened.', '08004')
}

type Pool = { pool: pg.Pool; close: () => Promise<void> }

function openPool(url: string, expected: Expected, timeouts: PostgresTimeouts): Pool {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // Our own sockets, so that `close` can cut connections that don't end.
    stream: () => {
      const socket = new Socket()
      sockets.add(socket.once('close', () => sockets.delete(socket)))
      return socket
    },
    verify: (client, report) => void prepareSession(client, expected, timeouts).then(() => report(), report),
  })
  // An idle connection that breaks, as in a server restart, must not end the process.
  pool.on('error', () => undefined)
  // Nor must one that breaks between two statements of a transaction: its next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = async () => {
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    // The pool waits for running queries, for ever if the connection is dead.
    await Promise.race([Promise.all([pool.end(), ...closed]), pause(timeouts.close, undefined, { ref: false })])
    for (const socket of sockets) socket.destroy()
  }
  return { pool, close }
}

/** Adds retries to a method that returns a promise. */
function retryMethod(owner: object, name: string): void {
  const method: unknown = Reflect.get(owner, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
  Reflect.set(owner, name, (...given: unknown[]) =>
    retryConflicts(async (): Promise<unknown> => Reflect.apply(method, owner, given)),
  )
}

type NoTables = Record<string, never>
type Transaction = PgTransaction<NodePgQueryResultHKT, NoTables, ExtractTablesWithRelations<NoTables>>

/**
 * Replaces drizzle's own transaction, which never releases a connection that breaks at BEGIN, uses the server's default
 * isolation, and reports a failed ROLLBACK instead of the original error.
 */
async function runTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  config?: PgTransactionConfig,
): Promise<Result> {
  let broken: Error | undefined
  let failure: { error: unknown } | undefined
  let isCommitting = false
  const send = tracedQuery(client)
  const query = async (...given: unknown[]): Promise<unknown> => {
    // A late reply would be taken for that of the next statement.
    if (broken) throw broken
    try {
      return await send(...given)
    } catch (error) {
      if (error instanceof Error && !isAnswered(error)) broken = error
      throw error
    }
  }
  const session = new Proxy(client, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
  try {
    return await drizzle(session).transaction(
      async (tx) => {
        try {
          const result = await work(tx)
          isCommitting = true
          return result
        } catch (error) {
          failure = { error }
          throw error
        }
      },
      { isolationLevel: 'read committed', ...config },
    )
  } catch (error) {
    if (failure) throw failure.error
    if (isCommitting && broken) throw new CommitUnknownError({ cause: error })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Transactions are retried as a whole, other statements individually. */
function withRetries(pool: pg.Pool): Database {
  Reflect.set(pool, 'query', tracedQuery(pool))
  retryMethod(pool, 'query')
  const db = drizzle(pool)
  const transact: typeof db.transaction = async (work, config) => runTransaction(await pool.connect(), work, config)
  Reflect.set(db, 'transaction', transact)
  retryMethod(db, 'transaction')
  return db
}

/**
 * Opens Postgres and migrates it under a lock, so that two processes may start at once. Conflicts between transactions
 * are retried; a connection to another database than the first is refused, and one that doesn't answer in time is given
 * up. Transactions are READ COMMITTED by default and throw CommitUnknownError when it is unknown whether they were
 * committed.
 */
export async function openPostgres(
  url: string,
  migrations: Migrations,
  overrides: Partial<PostgresTimeouts> = {},
): Promise<OpenDatabase> {
  const timeouts = { ...defaultTimeouts, ...overrides }
  const identity = await migrateExclusively(url, migrations, timeouts.connect)
  const { pool, close } = openPool(url, { identity, isRestoring: migrations.policy === 'restoring' }, timeouts)
  const db = withRetries(pool)
  const listeners = new Set<() => Promise<void>>()
  const listen: OpenDatabase['listen'] = (channel, listener) => {
    const notify = (payload: string) => db.execute(sql`select pg_notify(${channel}, ${payload})`)
    const stop = listenOnPostgres({ url, channel, connectTimeout: timeouts.connect, notify }, listener)
    listeners.add(stop)
    return stop
  }
  const closeAll = async () => {
    await Promise.all([...listeners].map((stop) => stop()))
    await close()
  }
  try {
    const clock = await openDatabaseClock(db)
    return { db, kind: 'postgres', clock, listen, announceClose: () => undefined, close: closeAll }
  } catch (error) {
    await close()
    throw error
  }
}
