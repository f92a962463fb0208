import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database'
import { makeMigrations } from './testing/make-migrations'
import { hasPgbouncer, startPgbouncer } from './testing/start-pgbouncer'
import { startPostgres, type TestPostgres } from './testing/start-postgres'

let root: string
let migrationsFolder: string
let postgres: TestPostgres

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pooler-test-'))
  migrationsFolder = await makeMigrations(root, [['create table notes (id integer primary key)']])
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  await rm(root, { recursive: true, force: true })
})

async function readFromPostgres(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

// Debian's package pgbouncer; not among ours.
describe.skipIf(!hasPgbouncer)('behind PgBouncer', () => {
  it('in session mode a database opens, with its own limits of time, and hears of changes', async () => {
    const pooler = await startPgbouncer(postgres.url, 'session')
    const { db, listen, close } = await openDatabase({ url: pooler.url, migrationsFolder, timeouts: { lock: 4_321 } })
    expect(await db.execute(sql`show lock_timeout`)).toMatchObject({ rows: [{ lock_timeout: '4321ms' }] })
    const isListening = await new Promise<boolean>((resolve) => {
      listen('changes', { onMessage: () => undefined, onState: resolve })
    })
    await close()
    await pooler.stop()
    expect(isListening).toBe(true)
  })

  it('in transaction mode it is refused by name, before anything was locked or written', async () => {
    await readFromPostgres("alter database postgres set statement_timeout = '7s'")
    const pooler = await startPgbouncer(postgres.url, 'transaction')
    const before = await readFromPostgres('select * from drizzle.identity')
    const opening = openDatabase({ url: pooler.url, migrationsFolder, timeouts: { connect: 1_500 } })
    await expect(opening).rejects.toThrow(/behind a pooler in transaction mode, such as PgBouncer/u)
    // The connection that others get from the pooler has its limits still.
    const other = new pg.Client({ connectionString: pooler.url })
    await other.connect()
    expect((await other.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '7s' }])
    await other.end()
    expect(await readFromPostgres("select * from pg_locks where locktype = 'advisory'")).toEqual([])
    expect(await readFromPostgres('select * from drizzle.identity')).toEqual(before)
    await pooler.stop()
  })
})
