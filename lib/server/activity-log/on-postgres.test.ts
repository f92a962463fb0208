import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { storeMigrations } from '../store/store'
import { activity } from '../store/schema'
import type { ActivityLife } from '../testing/processes/activity-process'
import { appendActivity } from './append'
import { verifyChain } from './hash-chain'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let store: OpenDatabase
let folder: string

beforeAll(async () => {
  postgres = await startPostgres()
  store = await openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
  folder = await mkdtemp(join(tmpdir(), 'activity-'))
})
afterAll(async () => {
  await store.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

type Ended = { code: number; output: string }

function run(file: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const { PATH, NODE_OPTIONS } = process.env
  const env = { PATH, NODE_OPTIONS, NODE_ENV: 'test' as const, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/run-program.mjs', file, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: `${stdout}${stderr}` }),
    )
  })
}

const verify = (environment: Record<string, string>, ...args: string[]) =>
  run('lib/server/activity-log/verify-activity.ts', args, { DATA_DIR: folder, ...environment })

/** What an owner of the tables could do: disable the guard, change a row, enable it again. */
async function tamper({ db }: OpenDatabase, ...statements: string[]): Promise<void> {
  for (const statement of [
    'alter table activity disable trigger user',
    ...statements,
    'alter table activity enable trigger user',
  ])
    await db.execute(sql.raw(statement))
}

test('makes one chain of what 50 writers in two processes append at once (AU-05)', async () => {
  const lives: ActivityLife[] = ['one', 'two'].map((name) => ({ url: postgres.url, name, writers: 25, rows: 20 }))
  const ended = await Promise.all(
    lives.map((life) => run('lib/server/testing/processes/activity-process.ts', [JSON.stringify(life)])),
  )
  expect(ended).toEqual([
    { code: 0, output: '' },
    { code: 0, output: '' },
  ])
  expect(await verifyChain(store.db)).toMatchObject({ holds: true, count: 1_000 })
  expect(await store.db.selectDistinct({ objectId: activity.objectId }).from(activity)).toHaveLength(1_000)
})

test('refuses to change, delete or empty what was written, whoever asks (AU-02)', async () => {
  for (const statement of [
    'update activity set actor = $$x$$',
    'delete from activity where sequence = 3',
    'truncate activity',
  ])
    await expect(store.db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: 'activity is append-only' },
    })
})

test('is verified by a command that prints the head, and with it notices a tail that was cut', async () => {
  const environment = { DATABASE_URL: postgres.url }
  const whole = await verify(environment)
  expect(whole).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^1000 rows, all as they were written\. Head: 1000:[0-9a-f]{64}\n$/u),
  })
  const head = whole.output.trim().split('Head: ')[1] ?? ''
  await tamper(
    store,
    'create table kept as select * from activity where sequence > 990',
    'delete from activity where sequence > 990',
  )
  expect(await verify(environment)).toMatchObject({ code: 0 })
  expect(await verify(environment, '--head', head)).toEqual({
    code: 1,
    output: 'Row 991 is missing: the log went further when that head was printed or signed.\n',
  })
  await tamper(store, 'insert into activity select * from kept')
  expect(await verify(environment, '--head', head)).toMatchObject({ code: 0 })
  await tamper(store, `update activity set actor = 'root' where sequence = 500`)
  expect(await verify(environment, '--json')).toEqual({
    code: 1,
    output: expect.stringContaining('"sequence":500,"reason":"altered"'),
  })
  expect((await verify(environment)).output).toMatch(
    /^Row 500 was changed after it was written\. It now reads: \S+ "root" /u,
  )
  expect(await verify(environment, '--head', 'nonsense')).toMatchObject({ code: 2 })
})

test('is verified in a folder too, but never while the desk holds it', async () => {
  await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
  const held = await openDatabase({ folder: join(folder, 'desk'), migrationsFolder: storeMigrations })
  await held.db.transaction((tx) =>
    appendActivity(tx, {
      connectionId: 'default',
      action: 'session.started',
      objectKind: 'session',
      objectId: 's',
      details: {},
    }),
  )
  const refused = await verify({ DATA_DIR: folder })
  expect(refused.code).toBe(2)
  expect(refused.output).toContain(`(process ${process.pid}). Stop it first`)
  await held.close()
  expect(await verify({ DATA_DIR: folder })).toMatchObject({ code: 0, output: expect.stringMatching(/^1 row, all/u) })
})
