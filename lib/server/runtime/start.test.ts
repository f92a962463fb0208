import { type ChildProcess, execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import { storeMigrations } from '../store/store'

const secret = 'canary secret for tests, long enough'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-desk-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs what Next runs before the first request in a separate process, and returns how it ended. */
function start(
  environment: Record<string, string>,
  { args = [], onChild }: { args?: string[]; onChild?: (child: ChildProcess) => void } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    NODE_ENV: 'test' as const,
    NEXT_RUNTIME: 'nodejs',
    DATA_DIR: folder,
    NEXTAUTH_SECRET: secret,
    SERVICE_TOKEN: 'canary token for tests',
    ...environment,
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/run-program.mjs', 'lib/server/testing/processes/register-desk.ts', ...args],
      { env, timeout: 110_000 },
      (error, stdout, stderr) => {
        // One that a signal ended has no code.
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr })
      },
    )
    onChild?.(child)
  })
}

const admin = { DESK_ADMIN_EMAIL: 'ann@example.com', DESK_ADMIN_PASSWORD: 'moss-covered lantern' }

describe('a start', () => {
  it('goes on when everything is there, and again on the same folder', async () => {
    const started = expect.stringMatching(/^started$/mu)
    expect(await start(admin)).toMatchObject({ code: 0, stdout: started, stderr: '' })
    expect(await start({})).toMatchObject({ code: 0, stdout: started })
    // The log has entries about the start: its head was signed with a key outside the store.
    expect(readFileSync(join(folder, 'activity-heads.jsonl'), 'utf8')).toMatch(
      /^\{"sequence":\d+,"hash":"[0-9a-f]{64}"/u,
    )
    expect(readFileSync(join(folder, 'activity.key'), 'utf8').length).toBeGreaterThan(40)
  })

  it.each<[what: string, environment: Record<string, string>, line: string]>([
    ['a wrong setting', { PORT: 'three' }, 'Setting PORT must be a whole number.'],
    ['no secret', { NEXTAUTH_SECRET: '' }, 'Setting NEXTAUTH_SECRET is needed: at least 32 random characters.'],
    ['a wrong address', { NEXTAUTH_URL: 'desk.example' }, 'Setting NEXTAUTH_URL must be an http or https address.'],
    [
      'a public address without a word on the proxy before it',
      { NEXTAUTH_URL: 'https://desk.example' },
      'Setting TRUSTED_PROXIES is needed beside a public https NEXTAUTH_URL: the number of proxies before the desk, their addresses, or none.',
    ],
    [
      'demo sign-ins beside another service',
      {
        DEMO_SIGN_INS: '[{"role":"admin","email":"a@b.example","password":"canary word"}]',
        UPSTREAM_URL: 'https://service.example',
        UPSTREAM_AUTH: 'none',
      },
      'Setting DEMO_SIGN_INS is for the embedded service alone: unset it.',
    ],
    [
      'a store without users',
      {},
      'Setting DESK_ADMIN_EMAIL is needed, with DESK_ADMIN_PASSWORD: the store has no user yet.',
    ],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://canary:canary@127.0.0.1:9/desk' },
      'The store at DATABASE_URL cannot be opened: nothing listens there.',
    ],
  ])('ends with one line for %s', async (_, environment, line) => {
    await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
    const ended = await start(environment)
    expect(ended).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  })

  it('ends with one line where no server of the desk’s own stands in front, as under `next start`', async () => {
    expect(await start(admin, { args: ['unguarded'] })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The desk is served by a server of its own: start it with npm start, or npm run dev while you work on it.\n',
    })
  })

  it('ends with one line for a folder that is no folder', async () => {
    writeFileSync(join(folder, 'desk'), 'a file')
    const { code, stderr } = await start(admin)
    expect(stderr).toMatch(/^The store in DATA_DIR \(.*\/desk\) cannot be opened: \w+\.\n$/u)
    expect(code).toBe(1)
  })

  it('never opens a folder that a living process holds, and names it', async () => {
    await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
    const held = await openDatabase({ folder: join(folder, 'desk'), migrationsFolder: storeMigrations })
    const { code, stderr } = await start(admin)
    await held.close()
    expect(stderr).toContain(`is in use by process ${process.pid}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('does not mend a damaged folder by starting empty', async () => {
    await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
    rmSync(join(folder, 'desk', 'pglite', 'global'), { recursive: true })
    mkdirSync(join(folder, 'desk', 'pglite', 'global'))
    const { code, stderr } = await start(admin)
    expect(stderr).toMatch(/The database in .+ is damaged: .+ is missing\. Nothing was changed\./u)
    expect(code).toBe(1)
  })

  it('that is told to stop while its database is being opened ends, though another holds the lock', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const other = new pg.Client({ connectionString: postgres.url })
    await other.connect()
    // Another desk migrates.
    await other.query('select pg_advisory_lock(4217001)')
    let desk: ChildProcess | undefined
    const ended = start({ ...admin, DATABASE_URL: postgres.url }, { onChild: (child) => (desk = child) })
    const countWaiting = async () =>
      (await other.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 60_000 })
    desk?.kill('SIGTERM')
    expect(await within(30_000, 'the desk to end', ended)).toMatchObject({ code: 0, stderr: '' })
    expect((await other.query('select 1 from pg_tables where schemaname = $1', ['public'])).rowCount).toBe(0)
    await other.end()
  })

  it('that is told to stop while its store is being prepared begins nothing more', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    await (await openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })).close()
    const other = new pg.Client({ connectionString: postgres.url })
    await other.connect()
    await other.query('begin; lock table connections')
    let desk: ChildProcess | undefined
    // Behind a proxy it has its store open for some seconds more.
    const environment = { ...admin, DATABASE_URL: postgres.url, TRUSTED_PROXIES: '1' }
    const ended = start(environment, { onChild: (child) => (desk = child) })
    const countWaiting = async () =>
      (await other.query("select 1 from pg_locks where locktype = 'relation' and not granted")).rowCount
    await vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0), { timeout: 60_000 })
    desk?.kill('SIGTERM')
    await other.query('commit')
    await other.end()
    expect(await within(30_000, 'the desk to end', ended)).toMatchObject({ code: 0, stderr: '' })
    expect(() => readFileSync(join(folder, 'activity-heads.jsonl'))).toThrow(/ENOENT/u)
  })

  it('says nothing of a database that does not speak', async () => {
    const server = createServer((socket) => socket.end('canary\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { code, stderr } = await start({ DATABASE_URL: `postgres://canary:canary@127.0.0.1:${port}/desk` })
    server.close()
    expect(stderr).toMatch(/^The store at DATABASE_URL cannot be opened: .*\.\n$/u)
    expect(stderr).not.toContain('canary')
    expect(code).toBe(1)
  })
})
