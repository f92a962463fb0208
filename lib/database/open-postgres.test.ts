import { setTimeout as pause } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unfinishedRestore } from './migrations'
import { openDatabase } from './open-database'
import type { Database } from './database'
import { makeMigrations } from './testing/make-migrations'
import { startPostgres } from './testing/start-postgres'

let root: string
let migrationsFolder: string
let postgres: Awaited<ReturnType<typeof startPostgres>>
let names = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postgres-test-'))
  migrationsFolder = await makeMigrations(root, [
    ['create table notes (id integer primary key, count integer not null)'],
    ['insert into notes values (1, 0), (2, 0)'],
  ])
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  await rm(root, { recursive: true, force: true })
})

async function run(statement: string, url = postgres.url): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

async function makeDatabase(): Promise<{ name: string; url: string }> {
  names += 1
  const name = `database_${names}`
  await run(`create database ${name}`)
  return { name, url: postgres.url.replace(/\/postgres$/u, `/${name}`) }
}

const raise = async (db: Database, id: number) => {
  await db.execute(sql`update notes set count = count + 1 where id = ${id}`)
}
const counts = (url: string) => run('select count from notes order by id', url)

describe('a conflict', () => {
  it('of transactions that wait for each other is run again, and both take effect', async () => {
    const { url } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    let runs = 0
    const cross = (first: number, second: number) =>
      db.transaction(async (tx) => {
        runs += 1
        await raise(tx, first)
        await pause(200)
        await raise(tx, second)
      })
    await Promise.all([cross(1, 2), cross(2, 1)])
    expect(runs).toBeGreaterThan(2)
    expect(await counts(url)).toEqual([{ count: 2 }, { count: 2 }])
    await close()
  })

  it('of serializable transactions is run again until each has counted', async () => {
    const { url } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    const count = () =>
      db.transaction(
        async (tx) => {
          const found: unknown = await tx.execute(sql`select count from notes where id = 1`)
          const seen = Number(/"count":(\d+)/u.exec(JSON.stringify(found))?.[1])
          await tx.execute(sql`update notes set count = ${seen + 1} where id = 1`)
        },
        { isolationLevel: 'serializable' },
      )
    await Promise.all([count(), count(), count()])
    expect(await counts(url)).toEqual([{ count: 3 }, { count: 0 }])
    await close()
  })

  it('that never ends is given up after three more tries', async () => {
    const { url } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    let runs = 0
    const conflict = () =>
      db.transaction(async (tx) => {
        runs += 1
        await raise(tx, 1)
        await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
      })
    await expect(conflict()).rejects.toMatchObject({ cause: { code: '40001' } })
    expect(runs).toBe(4)
    expect(await counts(url)).toEqual([{ count: 0 }, { count: 0 }])
    await close()
  })

  it('is the only failure that is run again', async () => {
    const { url } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    let runs = 0
    const fail = () =>
      db.transaction(async (tx) => {
        runs += 1
        await tx.execute(sql`insert into notes values (1, 0)`)
      })
    await expect(fail()).rejects.toMatchObject({ cause: { code: '23505' } })
    expect(runs).toBe(1)
    await close()
  })
})

describe('connections', () => {
  it('that are all in use are waited for, and none is lost', async () => {
    const { url, name } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    const busy = Array.from({ length: 40 }, () => db.transaction((tx) => tx.execute(sql`select pg_sleep(0.05)`)))
    const failing = Array.from({ length: 40 }, () =>
      db.transaction((tx) => tx.execute(sql`select 1 / 0`)).catch(() => 'failed'),
    )
    expect(await Promise.all(failing)).toEqual(Array.from({ length: 40 }, () => 'failed'))
    await Promise.all(busy)
    await Promise.all(Array.from({ length: 10 }, () => db.transaction((tx) => raise(tx, 1))))
    expect(await counts(url)).toEqual([{ count: 10 }, { count: 0 }])
    const [open] = await run(
      `select count(*)::int as count from pg_stat_activity where datname = '${name}' and state = 'idle in transaction'`,
    )
    expect(open).toEqual({ count: 0 })
    await close()
  })

  it('that break between two statements of a transaction fail it and not the process', async () => {
    const { url, name } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    let runs = 0
    const broken = db.transaction(async (tx) => {
      runs += 1
      await raise(tx, 1)
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      await pause(100)
      await raise(tx, 2)
    })
    await expect(broken).rejects.toThrow(/Failed query|terminat/u)
    expect(runs).toBe(1)
    await raise(db, 2)
    expect(await counts(url)).toEqual([{ count: 0 }, { count: 1 }])
    await close()
  })

  it('to another database than the first are refused', async () => {
    const { url, name } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    await raise(db, 1)
    const other = await makeDatabase()
    await (await openDatabase({ url: other.url, migrationsFolder })).close()
    // Like a failover to an empty standby: the same address, another database.
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await run(`alter database ${name} rename to ${name}_before`)
    await run(`alter database ${other.name} rename to ${name}`)
    await expect(db.execute(sql`select 1`)).rejects.toMatchObject({ cause: { code: '08004' } })
    await run(`alter database ${name} rename to ${other.name}`)
    await run(`alter database ${name}_before rename to ${name}`)
    await raise(db, 1)
    expect(await counts(url)).toEqual([{ count: 2 }, { count: 0 }])
    await close()
  })
})

describe('a restore', () => {
  it('keeps a desk that has the database open from connecting to it again, until it has ended', async () => {
    const { url, name } = await makeDatabase()
    const { db, close } = await openDatabase({ url, migrationsFolder })
    // The backup is of the same database, with its id.
    await run(`comment on schema drizzle is '${unfinishedRestore} 20261128080000'`, url)
    await run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
    // The first attempt may still be given the connection that has ended.
    const codeOf = () => raise(db, 1).then(String, ({ cause }: { cause: { code: string } }) => cause.code)
    await expect.poll(codeOf).toBe('55000')
    await run('comment on schema drizzle is null', url)
    await raise(db, 1)
    expect(await counts(url)).toEqual([{ count: 1 }, { count: 0 }])
    await close()
  })
})

describe('migrations', () => {
  it('have no limit of time, whatever their role has', async () => {
    const { url, name } = await makeDatabase()
    const limits = await run(
      "select name from pg_settings where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')",
    )
    for (const limit of limits as { name: string }[]) await run(`alter database ${name} set ${limit.name} = '100ms'`)
    const slow = await makeMigrations(root, [['create table slow (id integer)', 'select pg_sleep(0.4)']])
    const lock = new pg.Client({ connectionString: url })
    await lock.connect()
    // Another desk migrates.
    await lock.query('set statement_timeout = 0; select pg_advisory_lock(4217001)')
    const opening = openDatabase({ url, migrationsFolder: slow })
    await pause(400)
    await lock.end()
    await (await opening).close()
    expect(await run('select 1 as found from pg_tables where tablename = $$slow$$', url)).toEqual([{ found: 1 }])
  })

  it('of two that open at once run once', async () => {
    const { url } = await makeDatabase()
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url, migrationsFolder })))
    expect(await counts(url)).toEqual([{ count: 0 }, { count: 0 }])
    await Promise.all(opened.map(({ close }) => close()))
  })

  it('that are cut off at a statement leave nothing, and run to their end the next time', async () => {
    const { url } = await makeDatabase()
    const steps = ['create table a (id integer)', 'create table b (id integer)', 'insert into a values (1)']
    for (let cut = 0; cut <= steps.length; cut += 1) {
      const cutOff = [...steps.slice(0, cut), 'select pg_terminate_backend(pg_backend_pid())', ...steps.slice(cut)]
      await expect(openDatabase({ url, migrationsFolder: await makeMigrations(root, [cutOff]) })).rejects.toThrow(
        /Failed query|terminat/u,
      )
      expect(await run("select 1 from pg_tables where tablename in ('a', 'b')", url)).toEqual([])
    }
    const whole = await openDatabase({ url, migrationsFolder: await makeMigrations(root, [steps]) })
    expect(await run('select id from a', url)).toEqual([{ id: 1 }])
    await whole.close()
  })

  it('of a newer version keep an older one from opening', async () => {
    const { url } = await makeDatabase()
    await (await openDatabase({ url, migrationsFolder })).close()
    const older = await makeMigrations(root, [['create table notes (id integer primary key, count integer not null)']])
    await expect(openDatabase({ url, migrationsFolder: older })).rejects.toThrow('newer version')
  })

  it('are run by a command on an empty database alone', async () => {
    const { url } = await makeDatabase()
    const older = await makeMigrations(root, [['create table notes (id integer primary key, count integer not null)']])
    await (await openDatabase({ url, migrationsFolder: older, migrate: 'if-empty' })).close()
    const opening = openDatabase({ url, migrationsFolder, migrate: 'if-empty' })
    await expect(opening).rejects.toThrow('of an earlier version')
    expect(await counts(url)).toEqual([])
  })

  it('of a database whose restore was cut off are for that restore alone', async () => {
    const { url } = await makeDatabase()
    await (await openDatabase({ url, migrationsFolder })).close()
    await run(`comment on schema drizzle is '${unfinishedRestore}'`, url)
    await expect(openDatabase({ url, migrationsFolder })).rejects.toThrow('then restore again')
    await run(`comment on schema drizzle is '${unfinishedRestore} 20261128080000'`, url)
    await expect(openDatabase({ url, migrationsFolder })).rejects.toThrow('rename public_before_20261128080000 and')
    await (await openDatabase({ url, migrationsFolder, migrate: 'restoring' })).close()
  })
})
