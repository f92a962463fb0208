import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isCommitUnknown } from './errors'
import { openDatabase } from './open-database'
import type { Database, OpenDatabase } from './database'
import { makeMigrations } from './testing/make-migrations'
import { PostgresProxy } from './testing/postgres-proxy'
import { startPostgres } from './testing/start-postgres'

let root: string
let migrationsFolder: string
let postgres: Awaited<ReturnType<typeof startPostgres>>
let proxy: PostgresProxy
let store: OpenDatabase

const timeouts = { connect: 4_000, answer: 1_500, idleInTransaction: 700 }

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'broken-postgres-'))
  migrationsFolder = await makeMigrations(root, [['create table notes (id integer primary key)']])
  postgres = await startPostgres()
})
beforeEach(async () => {
  await run('drop table if exists notes; drop schema if exists drizzle cascade')
  proxy = await PostgresProxy.start(postgres.url)
  store = await openDatabase({ url: proxy.url, migrationsFolder, timeouts })
})
afterEach(async () => {
  await within(5_000, 'closing the store', store.close())
  await proxy.close()
})
afterAll(async () => {
  await postgres.stop()
  await rm(root, { recursive: true, force: true })
})

async function run(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

/** Rejects naming what hung, instead of waiting for ever. */
async function within<Result>(milliseconds: number, what: string, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = pause(milliseconds, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${what} took longer than ${milliseconds} ms`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

const insert = (db: Database, id: number) => db.transaction((tx) => tx.execute(sql`insert into notes values (${id})`))
const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('a connection that dies silently', () => {
  it('is given up, never used again, and the next statement takes another', async () => {
    await insert(store.db, 1)
    proxy.freeze()
    const error = await within(15_000, 'a statement', thrownBy(insert(store.db, 2)))
    expect(error).toBeInstanceOf(Error)
    expect(isCommitUnknown(error)).toBe(false)
    proxy.pass()
    await within(15_000, 'the next statement', insert(store.db, 3))
    expect(await run('select id from notes order by id')).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('with an open transaction keeps nobody longer than the server waits for it', async () => {
    const lost = proxy.loseNextCommit({ isDelivered: false, after: 'silence' })
    const first = thrownBy(insert(store.db, 1))
    await lost
    // Waits for the row locked by the orphaned transaction until the server ends that one.
    await within(15_000, 'a write of the same row', insert(store.db, 1))
    expect(isCommitUnknown(await first)).toBe(true)
    expect(await run('select id from notes')).toEqual([{ id: 1 }])
  })

  it('does not keep the store from closing', async () => {
    proxy.freeze()
    const error = thrownBy(insert(store.db, 1))
    await pause(100)
    await within(900, 'closing', store.close())
    expect(await error).toBeInstanceOf(Error)
    proxy.pass()
    store = await openDatabase({ url: proxy.url, migrationsFolder, timeouts })
  })
})

describe('a COMMIT whose answer is lost', () => {
  it.each(['reset', 'silence'] as const)('(%s) is told as unknown, whatever the server made of it', async (after) => {
    const lost = proxy.loseNextCommit({ isDelivered: true, after })
    const error = await within(10_000, 'the transaction', thrownBy(insert(store.db, 1)))
    await lost
    expect(isCommitUnknown(error)).toBe(true)
    expect(await run('select id from notes')).toEqual([{ id: 1 }])
    await insert(store.db, 2)
  })

  it('is no rollback: what the work itself threw is thrown', async () => {
    const work = store.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values (1)`)
      proxy.reset()
      throw new RangeError('the work has failed')
    })
    await expect(work).rejects.toBeInstanceOf(RangeError)
    await insert(store.db, 1)
  })

  it('is no refusal: what the server answers to a COMMIT is definite', async () => {
    await run('alter table notes add constraint once unique (id) deferrable initially deferred')
    await insert(store.db, 1)
    await run('alter table notes drop constraint notes_pkey')
    const error = await thrownBy(insert(store.db, 1))
    expect(error).toMatchObject({ cause: { code: '23505' } })
    expect(isCommitUnknown(error)).toBe(false)
  })
})

describe('the isolation of a transaction', () => {
  const read = (db: Database) =>
    db.execute<{ level: string }>(sql`select current_setting('transaction_isolation') as level`)

  it('is READ COMMITTED whatever the server defaults to, and another one where it is asked for', async () => {
    await run("alter database postgres set default_transaction_isolation = 'repeatable read'")
    const other = await openDatabase({ url: postgres.url, migrationsFolder })
    const found = [
      await read(other.db),
      await other.db.transaction(read),
      await other.db.transaction(read, { isolationLevel: 'serializable' }),
    ]
    expect(JSON.stringify(found).match(/(?<="level":")[a-z ]+/gu)).toEqual([
      'read committed',
      'read committed',
      'serializable',
    ])
    await other.close()
    await run('alter database postgres reset default_transaction_isolation')
  })
})
