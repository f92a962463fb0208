import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { appendActivity } from '../activity-log/append'
import { verifyChain } from '../activity-log/hash-chain'
import { grantRole } from '../store/grant-role'
import { activity, connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { makeDatabase } from '../testing/store-fixture'
import { toClientEnvironment } from './postgres-client'

const hasClient = ['pg_dump', 'pg_restore'].every((name) => spawnSync(name, ['--version']).status === 0)

let root: string
let postgres: TestPostgres
let url: string

beforeAll(async () => {
  if (hasClient) postgres = await startPostgres()
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'backups-'))
  if (hasClient) url = await makeDatabase(postgres.url)
  return () => rm(root, { recursive: true, force: true })
})
afterAll(() => postgres?.stop())

const children: ChildProcess[] = []
type Ended = { code: number; output: string; errors: string }

function run(name: 'backup' | 'restore', args: readonly string[], DATABASE_URL: string, more = {}): Promise<Ended> {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production' as const,
    DATA_DIR: join(root, 'data'),
    DATABASE_URL,
    ...more,
  }
  return new Promise((resolve) => {
    const command = ['scripts/run.mjs', 'program', name, ...args]
    const child = execFile(process.execPath, command, { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
    children.push(child)
  })
}

const open = (address: string) => openDatabase({ url: address, migrationsFolder: storeMigrations })

async function log(address: string, count: number): Promise<void> {
  const { db, close } = await open(address)
  await db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Shop' }).onConflictDoNothing()
  const entry = { connectionId: defaultConnectionId, actor: 'ann', action: 'view.save', objectKind: 'view' }
  for (let each = 0; each < count; each += 1)
    await db.transaction((tx) => appendActivity(tx, { ...entry, objectId: `v${each}`, details: {} }))
  await close()
}

async function backUp(address = url): Promise<string> {
  const { code, errors } = await run('backup', [join(root, 'backups')], address)
  expect([code, errors]).toEqual([0, ''])
  return join(root, 'backups', (await readdir(join(root, 'backups')))[0] ?? '')
}

async function query(address: string, statement: string): Promise<unknown> {
  const { db, close } = await open(address)
  const found = await db.execute(sql.raw(statement))
  await close()
  return found
}

/** The addresses of a store of its own: of its owner, and of a role with the grants of postgres-role.sql. */
async function makeRestricted(): Promise<{ owner: string; restricted: string }> {
  const [owner, role] = ['owner', 'desk'].map((name) => `${name}_${randomUUID().slice(0, 8)}`)
  const to = (name?: string) => url.replace('postgres:only', `${name}:only`)
  await query(url, `create role ${owner} login password 'only-for-tests'`)
  await query(url, `create role ${role} login password 'only-for-tests'`)
  url = await makeDatabase(postgres.url)
  await ask(url, `alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`)
  await log(to(owner), 3)
  await grantRole(role ?? '', to(owner))
  return { owner: to(owner), restricted: to(role) }
}

/** Asks a database that may have no store. */
async function ask(address: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

describe.skipIf(!hasClient)('a Postgres', () => {
  it('is backed up in one snapshot while it is written to, and restored with a log that verifies', async () => {
    await log(url, 3)
    const writing = log(url, 200)
    const backup = await backUp()
    await writing
    const { activity: head } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
    for (const name of ['', 'manifest.json', 'store.dump'])
      expect([name, (await stat(join(backup, name))).mode & 0o077]).toEqual([name, 0])
    const target = await makeDatabase(postgres.url)
    const restored = await run('restore', [backup], target)
    expect(restored).toMatchObject({ code: 0, errors: '' })
    expect(restored.output).toContain(`${head.sequence} rows, head ${head.sequence}:${head.hash}`)
    const { db, close } = await open(target)
    expect(await verifyChain(db)).toMatchObject({ holds: true, count: head.sequence + 1 })
    await close()
    // A dashboard that had the first open doesn't take the second for it.
    const identity = 'select id from drizzle.identity'
    expect(await query(target, identity)).not.toMatchObject({ rows: Object(await query(url, identity)).rows })
  })

  it('that is not empty or in use is refused, and set aside when that is allowed', async () => {
    await log(url, 3)
    const backup = await backUp()
    await log(url, 2)
    expect(await run('restore', [backup], url)).toMatchObject({ code: 1, errors: expect.stringMatching(/not empty/u) })
    const user = await open(url)
    const replace = [backup, '--replace']
    expect(await run('restore', replace, url)).toMatchObject({ code: 1, errors: expect.stringMatching(/in use/u) })
    await user.close()
    const replaced = await run('restore', replace, url)
    expect(replaced).toMatchObject({ code: 0, errors: '' })
    const [, aside = ''] = /kept in (public_before_\d+)\.$/mu.exec(replaced.output) ?? []
    expect(await query(url, `select count(*)::int as n from ${aside}.activity`)).toMatchObject({ rows: [{ n: 5 }] })
    expect(await query(url, 'select count(*)::int as n from activity')).toMatchObject({ rows: [{ n: 4 }] })
    // What was set aside is not part of the next backup.
    await rm(backup, { recursive: true })
    const next = await makeDatabase(postgres.url)
    expect(await run('restore', [await backUp()], next)).toMatchObject({ code: 0 })
    expect(await query(next, `select to_regnamespace('${aside}') as name`)).toMatchObject({ rows: [{ name: null }] })
  })

  it('that somebody opens just as it is set aside is put back', async () => {
    await log(url, 3)
    const backup = await backUp()
    await ask(
      url,
      `create schema extra;
      create function extra.sleep() returns event_trigger language plpgsql as $$ begin perform pg_sleep(4); end $$;
      create event trigger slow on ddl_command_start when tag in ('COMMENT') execute function extra.sleep()`,
    )
    const restored = run('restore', [backup, '--replace'], url)
    const isSettingAside = `select 1 from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and wait_event = 'PgSleep'`
    await expect.poll(() => ask(postgres.url, isSettingAside), { timeout: 20_000 }).toHaveLength(1)
    const user = new pg.Client({ connectionString: url })
    await user.connect()
    expect(await restored).toMatchObject({ code: 1, errors: expect.stringMatching(/in use/u) })
    await user.end()
    expect(await query(url, 'select count(*)::int as n from activity')).toMatchObject({ rows: [{ n: 3 }] })
  })

  it('is backed up by the restricted role, whose dashboard keeps its owner from restoring', async () => {
    const { owner, restricted } = await makeRestricted()
    const backup = await backUp(restricted)
    const dashboard = await open(restricted)
    const replace = [backup, '--replace']
    expect(await run('restore', replace, owner)).toMatchObject({ code: 1, errors: expect.stringMatching(/in use/u) })
    await dashboard.close()
    expect(await run('restore', replace, owner)).toMatchObject({ code: 0, errors: '' })
    expect(await query(owner, 'select count(*)::int as n from activity')).toMatchObject({ rows: [{ n: 4 }] })
  })

  it('may have other schemas and extensions, which are left alone', async () => {
    const extend = 'create extension pg_stat_statements'
    await log(url, 3)
    await query(url, 'create schema extra create table mine (id int)')
    const backup = await backUp()
    expect(await run('restore', [backup, '--replace'], url)).toMatchObject({ code: 0, errors: '' })
    expect(await query(url, 'select count(*)::int as n from extra.mine')).toMatchObject({ rows: [{ n: 0 }] })
    const prepared = await makeDatabase(postgres.url)
    await ask(prepared, extend)
    expect(await run('restore', [backup], prepared)).toMatchObject({ code: 0, errors: '' })

    // What is taken back leaves the schema as it was.
    await query(url, 'alter table activity disable trigger all')
    await query(url, "update activity set actor = 'bo' where sequence = 2")
    await rm(backup, { recursive: true })
    const broken = await backUp()
    const target = await makeDatabase(postgres.url)
    await ask(target, extend)
    const describeTarget = `select nspowner::regrole::text, nspacl::text, (select count(*)::int from pg_extension) as extensions,
      (select count(*)::int from pg_class where relnamespace = n.oid) as relations, (select count(*)::int from pg_proc where pronamespace = n.oid) as routines,
      to_regnamespace('drizzle') as drizzle from pg_namespace n where nspname = 'public'`
    const before = await ask(target, describeTarget)
    const refused = await run('restore', [broken], target)
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('does not verify') })
    expect(await ask(target, describeTarget)).toEqual(before)
  })

  it('keeps what it had when the log in the backup does not verify, or the dump is damaged', async () => {
    await log(url, 3)
    await query(url, 'alter table activity disable trigger all')
    await query(url, "update activity set actor = 'bo' where sequence = 2")
    const backup = await backUp()
    const target = await makeDatabase(postgres.url)
    await log(target, 5)
    const refused = await run('restore', [backup, '--replace'], target)
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('row 2 is altered') })
    const empty = await makeDatabase(postgres.url)
    expect(await run('restore', [backup], empty)).toMatchObject({ code: 1 })
    expect(await query(empty, 'select count(*)::int as n from activity')).toMatchObject({ rows: [{ n: 0 }] })
    await appendFile(join(backup, 'store.dump'), ' ')
    const damaged = await run('restore', [backup, '--replace'], target)
    expect(damaged).toMatchObject({ code: 1, errors: expect.stringContaining('is damaged: store.dump') })
    const { db, close } = await open(target)
    expect(await verifyChain(db)).toMatchObject({ holds: true, count: 5 })
    expect(await db.$count(activity)).toBe(5)
    await close()
  })

  it('has again what it had when the restore is interrupted, or can be told where it is', async () => {
    await log(url, 3)
    const backup = await backUp()
    const bin = join(root, 'bin')
    await mkdir(bin)
    const replaceClient = (script: string) =>
      writeFile(join(bin, 'pg_restore'), `#!/bin/sh\n[ "$1" = --version ] || { ${script}; }\n`, { mode: 0o700 })
    const PATH = `${bin}:${process.env.PATH}`
    const countAside = "select count(*)::int as n from pg_namespace where nspname like 'public_before_%'"

    await replaceClient(`echo > ${join(root, 'started')}; exec sleep 60`)
    const interrupted = run('restore', [backup, '--replace'], url, { PATH })
    // Asking the database would have it in use.
    await expect.poll(() => readdir(root), { timeout: 20_000 }).toContain('started')
    expect(await ask(url, countAside)).toEqual([{ n: 1 }])
    children.at(-1)?.kill('SIGINT')
    expect(await interrupted).toMatchObject({ code: 130, errors: 'Interrupted: nothing was changed.\n' })
    expect(await ask(url, 'select count(*)::int as n from activity')).toEqual([{ n: 3 }])
    expect(await ask(url, countAside)).toEqual([{ n: 0 }])

    const name = new URL(url).pathname.slice(1)
    const allow = (allowed: boolean) => `update pg_database set datallowconn = ${allowed} where datname = '${name}'`
    await replaceClient(`psql -q -d postgres -c "${allow(false)}"; echo 'pg_restore: error: no' >&2; exit 1`)
    const { code, errors } = await run('restore', [backup, '--replace'], url, { PATH })
    await ask(postgres.url, allow(true))
    expect([code, errors]).toEqual([1, expect.stringContaining('pg_restore failed: pg_restore: error: no\n')])
    const [, aside = ''] = /is in (public_before_\d+) and drizzle_before_\d+/u.exec(errors) ?? []
    expect(await ask(url, `select count(*)::int as n from ${aside}.activity`)).toEqual([{ n: 3 }])
    await expect(open(url)).rejects.toThrow(`rename ${aside} and drizzle_before_`)
  })

  it('whose restore was cut off is neither opened, backed up nor restored over, until it is put right', async () => {
    await log(url, 3)
    const backup = await backUp()
    const bin = join(root, 'bin')
    await mkdir(bin)
    // Ends the restore, which started it, at once.
    const script = '#!/bin/sh\n[ "$1" = --version ] || kill -9 $PPID\n'
    await writeFile(join(bin, 'pg_restore'), script, { mode: 0o700 })
    const cut = await run('restore', [backup, '--replace'], url, { PATH: `${bin}:${process.env.PATH}` })
    expect(cut.code).not.toBe(0)
    const text = 'A restore of the database is under way, or was cut off'
    await expect(open(url)).rejects.toThrow(text)
    expect(await run('backup', [root], url)).toMatchObject({ code: 1, errors: expect.stringContaining(text) })
    const again = await run('restore', [backup, '--replace'], url)
    const [, aside = ''] = /rename public_before_(\d+)/u.exec(again.errors) ?? []
    await ask(url, 'drop schema public cascade; drop schema drizzle cascade')
    await ask(url, `alter schema public_before_${aside} rename to public`)
    await ask(url, `alter schema drizzle_before_${aside} rename to drizzle`)
    expect(await query(url, 'select count(*)::int as n from activity')).toMatchObject({ rows: [{ n: 3 }] })
  })

  it('whose client is missing or fails is named in one line, without its password', async () => {
    await log(url, 1)
    // Node alone, and a pg_dump that shows what it was given.
    const bin = join(root, 'bin')
    const missing = await run('backup', [join(root, 'backups')], url, { PATH: bin })
    expect(missing).toMatchObject({ code: 1, errors: expect.stringMatching(/^pg_dump is not here: install .*\n$/u) })
    await mkdir(bin)
    await writeFile(
      join(bin, 'pg_dump'),
      `#!/bin/sh\necho "$@" >> ${join(root, 'arguments')}\necho 'pg_dump: error: no' >&2\nexit 1\n`,
      {
        mode: 0o700,
      },
    )
    const failed = await run('backup', [join(root, 'backups')], url, { PATH: `${bin}:/usr/bin:/bin` })
    expect(failed).toMatchObject({ code: 1, output: '', errors: 'pg_dump failed: pg_dump: error: no\n' })
    expect(readFileSync(join(root, 'arguments'), 'utf8')).not.toContain('only-for-tests')
    expect(await readdir(join(root, 'backups'))).toEqual([])
  })
})

describe('the address of a Postgres', () => {
  const tlsOf = (address: string, version = 16) => {
    const { PGSSLMODE, PGSSLROOTCERT } = toClientEnvironment(address, version)
    return [PGSSLMODE, PGSSLROOTCERT]
  }
  const address = 'postgres://ann:p%40ss@db.example:6432/desk'

  it('reaches its client as variables', () => {
    expect(toClientEnvironment(`${address}?sslmode=verify-full&sslrootcert=/dev/null`, 15)).toMatchObject({
      PGHOST: 'db.example',
      PGPORT: '6432',
      PGUSER: 'ann',
      PGDATABASE: 'desk',
      PGPASSWORD: 'p@ss',
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/dev/null',
    })
  })

  it('has the same TLS there as in the dashboard, whatever its words mean to libpq', () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '')
    vi.stubEnv('PGSSLMODE', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(tlsOf(address)).toEqual(['disable', undefined])
    expect(tlsOf(`${address}?sslmode=disable`)).toEqual(['disable', undefined])
    for (const word of ['sslmode=no-verify', 'ssl=no-verify', 'uselibpqcompat=true&sslmode=require'])
      expect([word, ...tlsOf(`${address}?${word}`)]).toEqual([word, 'require', undefined])
    for (const word of ['sslmode=prefer', 'sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full', 'ssl=true'])
      expect([word, ...tlsOf(`${address}?${word}`)]).toEqual([word, 'verify-full', 'system'])
    expect(tlsOf(`${address}?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=package.json`)).toEqual([
      'verify-ca',
      'package.json',
    ])
    // libpq 15 takes `system` for the name of a file.
    expect(tlsOf(`${address}?ssl=true`, 15)).toEqual(['verify-full', undefined])
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/etc/authority.pem')
    expect(tlsOf(`${address}?ssl=true`)).toEqual(['verify-full', '/etc/authority.pem'])
    vi.stubEnv('PGSSLMODE', 'require')
    expect(tlsOf(address)).toEqual(['verify-full', '/etc/authority.pem'])
  })
})
