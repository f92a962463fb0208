import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { activity, connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'

let folder: string
let target: string

const openStore = () => openDatabase({ folder: join(folder, 'data', 'desk'), migrationsFolder: storeMigrations })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-person-'))
  target = join(folder, 'ann.json')
  await copyMigratedFolder(join(folder, 'data', 'desk'), storeMigrations)
  const store = await openStore()
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  await store.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function exportTo(file: string): Promise<{ code: number; said: string }> {
  const NEXTAUTH_SECRET = 'canary secret for tests, long enough'
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, DATA_DIR: join(folder, 'data'), NEXTAUTH_SECRET }
  const program = ['scripts/run-program.mjs', 'lib/server/people/run-person-command.ts']
  const args = [...program, 'export', '--name', 'Ann Andersen', '--file', file]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}${stderr}` }),
    )
  })
}

async function countExports(): Promise<number> {
  const store = await openStore()
  const count = await store.db.$count(activity, eq(activity.action, 'person.exported'))
  await store.close()
  return count
}

it('an export is a file for its owner alone, and is logged', async () => {
  expect(await exportTo(target)).toEqual({ code: 0, said: `What is kept is in ${target}.\n` })
  expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ about: { by: 'command line' } })
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).toSorted()).toEqual(['ann.json', 'data'])
  expect(await countExports()).toBe(1)
})

it('an export whose file could not be opened is not logged, and leaves nothing', async () => {
  writeFileSync(target, 'canary')
  expect(await exportTo(target)).toEqual({ code: 1, said: `${target} exists already.\n` })
  expect(readFileSync(target, 'utf8')).toBe('canary')
  const nowhere = join(folder, 'nowhere', 'ann.json')
  expect(await exportTo(nowhere)).toEqual({ code: 1, said: `${nowhere} cannot be written (ENOENT).\n` })
  const other = join(folder, 'other.json')
  writeFileSync(`${other}.unfinished`, 'canary')
  expect(await exportTo(other)).toEqual({ code: 1, said: `${other}.unfinished exists already.\n` })
  expect(readFileSync(`${other}.unfinished`, 'utf8')).toBe('canary')
  expect(existsSync(other)).toBe(false)
  expect(await countExports()).toBe(0)
})

it('an export that breaks off leaves nothing', async () => {
  const store = await openStore()
  await store.db.execute('alter table cancellations rename to cancellations_away')
  await store.close()
  expect((await exportTo(target)).code).toBe(1)
  expect([existsSync(target), existsSync(`${target}.unfinished`)]).toEqual([false, false])
})
