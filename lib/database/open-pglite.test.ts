import {
  chown,
  cp,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { markReplacing } from './folder-integrity'
import { openDatabase } from './open-database'
import { makeMigrations } from './testing/make-migrations'

let root: string
/** A properly closed database with rows; every test uses a copy. */
let made: string
let folder: string
let table: string
const copies: string[] = []

const firstOne = [['create table notes (id integer primary key, text text)']]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pglite-'))
  made = join(root, 'made')
  const { db, close } = await openDatabase({ folder: made, migrationsFolder: await makeMigrations(root, firstOne) })
  await db.execute(sql`insert into notes select n, repeat('x', 500) from generate_series(1, 3000) as n`)
  const found: unknown = await db.execute(sql`select pg_relation_filepath('notes') as path`)
  table = /base\/\d+\/\d+/u.exec(JSON.stringify(found))?.[0] ?? ''
  await close()
})
afterAll(() => rm(root, { recursive: true, force: true }))
afterEach(async () => {
  for (const copy of copies.splice(0)) await rm(copy, { recursive: true, force: true })
})

async function copy(): Promise<void> {
  folder = join(root, `copy-${Math.random()}`)
  copies.push(folder)
  await cp(made, folder, { recursive: true })
}

const migrations = () => makeMigrations(root, firstOne)
const openCopy = async () => openDatabase({ folder, migrationsFolder: await migrations() })

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at)
  await file.close()
}

async function firstLog(): Promise<string> {
  const names = (await readdir(join(folder, 'pglite/pg_wal'))).filter((name) => name.length === 24)
  return join(folder, 'pglite/pg_wal', names[0] ?? '')
}

describe('a damaged folder is refused by the name of the file, and stays as it is', () => {
  const inside = (path: string) => join(folder, 'pglite', path)
  it.each<[string, () => Promise<void>, string | RegExp]>([
    ['PG_VERSION deleted', () => rm(inside('PG_VERSION')), 'pglite/PG_VERSION is missing'],
    ['all of it deleted', () => rm(inside('.'), { recursive: true }), 'pglite/PG_VERSION is missing'],
    ['the control file deleted', () => rm(inside('global/pg_control')), 'pglite/global/pg_control is missing'],
    ['the control file emptied', () => truncate(inside('global/pg_control')), 'pglite/global/pg_control has 0 bytes'],
    ['the control file flipped', () => flip(inside('global/pg_control'), 60), 'pglite/global'],
    ['the catalogue deleted', () => rm(inside('base/5'), { recursive: true }), 'pglite/base/5/PG_VERSION is missing'],
    ['the log deleted', async () => rm(await firstLog()), 'pglite/pg_wal holds no log'],
    [
      'the log cut short',
      async () => truncate(await firstLog(), 1_048_576),
      /pglite\/pg_wal\/[\dA-F]{24} has 1048576/u,
    ],
    ['the log overwritten', async () => writeFile(await firstLog(), Buffer.alloc(16 * 1_048_576, 7)), 'pglite/pg_wal'],
    ['a bit of a row flipped', () => flip(inside(table), 8_192 * 3 + 5_000), 'is damaged at byte 24576'],
    [
      'one behind the first megabyte flipped',
      () => flip(inside(table), 8_192 * 150 + 5_000),
      'is damaged at byte 1228800',
    ],
  ])('%s', async (_name, damage, message) => {
    await copy()
    await damage()
    const before = await readdir(folder, { recursive: true })
    await expect(openCopy()).rejects.toThrow(message)
    await expect(openCopy()).rejects.toThrow('Restore a backup')
    const after = await readdir(folder, { recursive: true })
    // Postgres leaves a pid file where it tried to start.
    expect(after.filter((name) => !name.endsWith('postmaster.pid')).toSorted()).toEqual(before.toSorted())
  })
})

it('a sound folder opens with what was in it', async () => {
  await copy()
  const { db, close } = await openCopy()
  expect(await db.execute(sql`select count(*)::int as count from notes`)).toMatchObject({ rows: [{ count: 3_000 }] })
  await close()
})

it('a folder whose making was cut short is made anew', async () => {
  await copy()
  await writeFile(join(folder, 'debitdesk.database'), 'making\n')
  await rm(join(folder, 'pglite/base'), { recursive: true })
  const { db, close } = await openCopy()
  expect(await db.execute(sql`select count(*)::int as count from notes`)).toMatchObject({ rows: [{ count: 0 }] })
  await close()
  expect(await readFile(join(folder, 'debitdesk.database'), 'utf8')).toBe('made\n')
})

/** Whatever is read through it fails with ELOOP, as a disk's fault does with EIO. */
async function makeUnreadable(path: string): Promise<void> {
  await rename(path, `${path}-kept`)
  await symlink(path, path)
}

it('a folder that cannot be read is not taken for one without a database', async () => {
  await copy()
  const [state, data] = [join(folder, 'debitdesk.database'), join(folder, 'pglite')]
  for (const path of [state, data]) {
    await makeUnreadable(path)
    await expect(openCopy()).rejects.toThrow(`${path} cannot be read (ELOOP). Nothing was changed.`)
  }
  for (const path of [state, data]) {
    await rm(path)
    await rename(`${path}-kept`, path)
  }
  await (await openCopy()).close()
})

it('files that this process may not use are named', async () => {
  await copy()
  // Not read before PGlite opens, which knows it only as an abort.
  const file = join(folder, 'pglite/pg_logical/replorigin_checkpoint')
  await makeUnreadable(file)
  await expect(openCopy()).rejects.toThrow(`${file} cannot be read and written by user`)
  await rm(file)
  await rename(`${file}-kept`, file)
  await (await openCopy()).close()
})

it.skipIf(process.getuid?.() !== 0)('root is refused where the database is another user’s, who is named', async () => {
  await copy()
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), 4_321, 4_321)
  await expect(openCopy()).rejects.toThrow('belongs to user 4321, and this process runs as user 0')
  expect(await readdir(folder)).not.toContain('debitdesk.lock')
  expect((await stat(join(folder, 'pglite/postmaster.pid')).catch(() => null))?.uid ?? 4_321).toBe(4_321)
})

it('a folder of a newer version is refused, and opens with that version again', async () => {
  await copy()
  const newer = await makeMigrations(root, [...firstOne, ['alter table notes add column at text']])
  await (await openDatabase({ folder, migrationsFolder: newer })).close()
  await expect(openCopy()).rejects.toThrow('newer version')
  const { close } = await openDatabase({ folder, migrationsFolder: newer })
  await close()
})

it('a folder of an earlier version is refused by a command, and stays as it is', async () => {
  await copy()
  const newer = await makeMigrations(root, [...firstOne, ['alter table notes add column at text']])
  const opening = openDatabase({ folder, migrationsFolder: newer, migrate: 'if-empty' })
  await expect(opening).rejects.toThrow('of an earlier version')
  await (await openCopy()).close()
})

it('what a restore that was killed has copied is removed', async () => {
  await copy()
  await cp(join(folder, 'pglite'), join(folder, 'restoring', 'pglite'), { recursive: true })
  const { close } = await openCopy()
  expect(await readdir(folder)).not.toContain('restoring')
  await close()
})

it('a folder whose database a restore set aside, and did not replace, is not begun anew', async () => {
  await copy()
  const [data, aside] = [join(folder, 'pglite'), join(folder, 'pglite-before-20261128T080000Z')]
  await markReplacing(folder, 'pglite-before-20261128T080000Z')
  await (await openCopy()).close()
  await markReplacing(folder, 'pglite-before-20261128T080000Z')
  await rename(data, aside)
  await expect(openCopy()).rejects.toThrow('rename pglite-before-20261128T080000Z to pglite')
  await rename(aside, data)
  await (await openCopy()).close()
})
