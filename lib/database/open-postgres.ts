import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExtractTablesWithRelations } from 'drizzle-orm'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PgTransaction, PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { openDatabaseClock } from './clock'
import { CommitUnknownError, DatabaseError } from './errors'
import { refuseNewerSchema } from './migrations'
import type { Database, OpenDatabase } from './database'

/** A serialization failure and a deadlock: Postgres undid everything and asks for another try. */
const conflicts = new Set(['40001', '40P01'])
const mostRetries = 3
/** The first wait in milliseconds; each further one is twice as long. */
const firstWait = 20

function isConflict(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && conflicts.has(one.code)) return true
  return false
}

/**
 * Runs `attempt` again when the database undid it because of a conflict: up to three times, after waits that
 * differ from one process to the next. A broken connection is no conflict: whether that attempt was committed
 * is not known, so it is never run again here.
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (retries === mostRetries || !isConflict(error)) throw error
      await pause(firstWait * 2 ** retries * (0.5 + Math.random()))
    }
  }
}

/** Any constant does: it only has to be the same in every process that migrates. */
const migrationLock = 4_217_001

/** Milliseconds. */
export type PostgresTimeouts = {
  /** To connect, and to wait for a connection of the pool. */
  connect: number
  /** Until a lock is given up by the server. */
  lock: number
  /** Until a statement is given up by the server. */
  statement: number
  /** Until a statement is given up here, because the connection is dead; the server's own limits come first. */
  answer: number
  /** Until the server ends a transaction whose client says nothing more, and frees its locks. */
  idleInTransaction: number
  /** Until `close` cuts the connections that do not end. */
  close: number
}

/**
 * Nobody waits for a database without end; what exceeds these fails and can be tried again. Who waits for a lock of an
 * orphaned transaction, or for a connection, outlasts `idleInTransaction`.
 */
const defaultTimeouts: PostgresTimeouts = {
  connect: 10_000,
  lock: 10_000,
  statement: 15_000,
  answer: 20_000,
  idleInTransaction: 8_000,
  close: 700,
}

/** For a command that works on whole tables, with nobody waiting for it. */
export const longWork = { statement: 3_600_000, answer: 3_660_000, idleInTransaction: 3_600_000 }

/** A connection on which nothing moves is probed after this time, so that a dead peer is noticed; milliseconds. */
const keepAliveAfter = 10_000

/**
 * Set for each session, whatever the server's defaults are. The first is for statements outside of a transaction; the
 * others let the server notice a client that is gone (no effect on a Unix socket or where the system has no such option).
 */
const sessionSettings = `
  set default_transaction_isolation = 'read committed';
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set tcp_user_timeout = 20000;`

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

/** Without a limit on statements: a migration may take long. */
async function migrateAlone(url: string, migrationsFolder: string, connectTimeout: number): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeout, keepAlive: true })
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

/** Whether the server answered, if with an error; otherwise the connection is of no further use. */
function isAnswered(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

/** Throws DatabaseError where this is another database than the one that was opened. */
async function prepareSession(client: pg.ClientBase, identity: string): Promise<void> {
  await client.query(sessionSettings)
  const found = await client.query<{ id: string }>(identityQuery).catch((error: unknown) => {
    // An empty stand-in has no such table.
    if (!isAnswered(error)) throw error
    return { rows: [] }
  })
  if (found.rows[0]?.id === identity) return
  throw new DatabaseError('The server now answers with another database than the one that was opened.', '08004')
}

type Pool = { pool: pg.Pool; close: () => Promise<void> }

function openPool(url: string, identity: string, timeouts: PostgresTimeouts): Pool {
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: timeouts.connect,
    lock_timeout: timeouts.lock,
    statement_timeout: timeouts.statement,
    query_timeout: timeouts.answer,
    idle_in_transaction_session_timeout: timeouts.idleInTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfter,
    // Our own, so that `close` can cut those that do not end.
    stream: () => {
      const socket = new Socket()
      sockets.add(socket.once('close', () => sockets.delete(socket)))
      return socket
    },
    verify: (client, tell) => void prepareSession(client, identity).then(() => tell(), tell),
  })
  // An idle connection that breaks (a restart of the server) must not end the process.
  pool.on('error', () => undefined)
  // Nor one that breaks between two statements of a transaction: its next statement tells.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const close = async () => {
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    // The pool waits for what is still under way, for ever where the connection is dead.
    await Promise.race([Promise.all([pool.end(), ...closed]), pause(timeouts.close, undefined, { ref: false })])
    for (const socket of sockets) socket.destroy()
  }
  return { pool, close }
}

/** Puts retries around a method that answers a promise. */
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
 * Drizzle's own transaction never gives a connection back that breaks at BEGIN, takes the server's default isolation,
 * and tells the failure of its ROLLBACK in place of what went wrong.
 */
async function runTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  config?: PgTransactionConfig,
): Promise<Result> {
  let broken: Error | undefined
  let failure: { error: unknown } | undefined
  let isCommitting = false
  const send: (...given: unknown[]) => unknown = Reflect.get(client, 'query')
  const query = async (...given: unknown[]): Promise<unknown> => {
    // The answer that did not come may still come, and would be taken for that of the next statement.
    if (broken) throw broken
    try {
      return await Reflect.apply(send, client, given)
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

/** Transactions are run again as a whole, statements outside of one by themselves. */
function withRetries(pool: pg.Pool): Database {
  retryMethod(pool, 'query')
  const db = drizzle(pool)
  const transact: typeof db.transaction = async (work, config) => runTransaction(await pool.connect(), work, config)
  Reflect.set(db, 'transaction', transact)
  retryMethod(db, 'transaction')
  return db
}

/**
 * Opens Postgres and brings its schema up to date under a lock, so that two processes may start at once. A
 * conflict between transactions is tried again; a connection to another database than the first is refused, one that
 * does not answer in time is given up. A transaction is READ COMMITTED unless it says otherwise; it throws
 * CommitUnknownError when nobody can say whether it was committed.
 */
export async function openPostgres(
  url: string,
  migrationsFolder: string,
  given: Partial<PostgresTimeouts> = {},
): Promise<OpenDatabase> {
  const timeouts = { ...defaultTimeouts, ...given }
  const identity = await migrateAlone(url, migrationsFolder, timeouts.connect)
  const { pool, close } = openPool(url, identity, timeouts)
  const db = withRetries(pool)
  try {
    return { db, kind: 'postgres', clock: await openDatabaseClock(db), announceClose: () => undefined, close }
  } catch (error) {
    await close()
    throw error
  }
}
