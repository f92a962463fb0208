import { type ChildProcess, execFile, execFileSync } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { measureFolder } from '@/lib/database/copy-folder'
import { openDatabase } from '@/lib/database/open-database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import type { BulkState } from '@/lib/domain/cancellations/bulk-cancellation'
import { appendActivity } from '../activity-log/append'
import { verifyChain } from '../activity-log/hash-chain'
import { deriveHeadKey, signHead } from '../activity-log/signed-head'
import type { CancellationState } from '../cancellations/states'
import { bulks } from '../store/bulk-schema'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity, cancellations, connections, defaultConnectionId, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { startCopies, stopCopies } from './copy-socket'

const ACTIVITY_KEY = 'a key of the log for tests: 7f2-Kq9'
/** Mounting a small disk needs root, and one in memory needs Linux. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

let root: string
let store: OpenDatabase | undefined

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'backups-'))
  await mkdir(join(root, 'temporary'))
  await copyMigratedFolder(join(root, 'data', 'desk'), storeMigrations)
})
afterEach(async () => {
  await stopCopies()
  await store?.close()
  store = undefined
  await rm(root, { recursive: true, force: true })
})

/** The last command. */
let running: ChildProcess | undefined
type Ended = { code: number; output: string; errors: string }

type Name = 'backup' | 'restore'

/** Runs the program of the command, with a data folder below `root`. */
const run = (name: Name, args: readonly string[], dataDir?: string) =>
  start(['scripts/run-program.mjs', `lib/server/backups/run-${name}.ts`, ...args], dataDir)

/** Runs the command as npm does. */
const runByName = (name: Name, args: readonly string[], dataDir?: string) =>
  start(['scripts/run.mjs', 'program', name, ...args], dataDir)

function start(command: readonly string[], dataDir = 'data'): Promise<Ended> {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production' as const,
    NODE_OPTIONS: `--import=${join(process.cwd(), 'scripts/support/compile-wasm-once.mjs')}`,
    DATA_DIR: join(root, dataDir),
    DATABASE_URL: '',
    ACTIVITY_KEY,
    TMPDIR: join(root, 'temporary'),
  }
  return new Promise((resolve) => {
    running = execFile(process.execPath, command, { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
  })
}

const openStore = async (dataDir = 'data') =>
  (store = await openDatabase({ folder: join(root, dataDir, 'desk'), migrationsFolder: storeMigrations }))

async function closeStore(): Promise<void> {
  await stopCopies()
  await store?.close()
  store = undefined
}

async function log(opened: OpenDatabase, count: number): Promise<void> {
  const entry = { connectionId: defaultConnectionId, actor: 'ann', action: 'view.save', objectKind: 'view' }
  for (let each = 0; each < count; each += 1)
    await opened.db.transaction((tx) => appendActivity(tx, { ...entry, objectId: `v${each}`, details: { each } }))
}

/** Fills the store as a desk does, and signs somebody in. */
async function fill(): Promise<OpenDatabase> {
  const opened = await openStore()
  await opened.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Shop' })
  const userId = crypto.randomUUID()
  await opened.db.insert(users).values({ id: userId, email: 'ann@shop.example' })
  await opened.db.insert(sessions).values({ id: crypto.randomUUID(), userId })
  await log(opened, 3)
  return opened
}

const listOf = async (folder: string) => readdir(join(root, folder)).catch(() => [])

let usualBackup: string | undefined
afterAll(() => usualBackup && rm(usualBackup, { recursive: true, force: true }))

/** A backup of a store as `fill` leaves it: made once, and copied for each test. */
async function copyUsualBackup(): Promise<string> {
  if (usualBackup === undefined) {
    await fill()
    const made = await backUp()
    usualBackup = await mkdtemp(join(tmpdir(), 'backup-'))
    await cp(made, usualBackup, { recursive: true })
  }
  const copy = join(root, 'backups', 'copy')
  await cp(usualBackup, copy, { recursive: true })
  return copy
}

/** Makes a backup of the stopped store and returns its folder. */
async function backUp(): Promise<string> {
  await closeStore()
  const { code, errors } = await run('backup', [join(root, 'backups')])
  expect([code, errors]).toEqual([0, ''])
  return join(root, 'backups', (await listOf('backups'))[0] ?? '')
}

describe('a backup of a running dashboard', () => {
  it('is the store of one moment, for its owner alone, and is restored with a log that verifies', async () => {
    const opened = await fill()
    if (!opened.copyFiles) throw new Error('the folder cannot be copied')
    await startCopies(join(root, 'data', 'desk'), opened.copyFiles)
    // Writes go on meanwhile. The copy begins between two transactions.
    const over = new AbortController()
    const writing = (async () => {
      while (!over.signal.aborted) {
        await log(opened, 1)
        await wait(20)
      }
    })()
    const made = await runByName('backup', [join(root, 'backups')])
    over.abort()
    await writing
    expect(made).toMatchObject({ code: 0, errors: '' })
    const [name = ''] = await listOf('backups')
    expect(name).toMatch(/^debitdesk-\d{8}T\d{6}Z$/u)
    const backup = join(root, 'backups', name)
    const { activity: head, files } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
    expect(made.output).toContain(`${head.sequence}:${head.hash}`)
    expect(head.sequence).toBeGreaterThanOrEqual(3)
    expect(head.sequence).toBeLessThan(await opened.db.$count(activity))
    for (const path of ['', 'manifest.json', 'pglite', ...files.map((file: { path: string }) => file.path)])
      expect([path, (await stat(join(backup, path))).mode & 0o077]).toEqual([path, 0])
    // The copy that the desk made is gone.
    await expect.poll(() => listOf('data/desk')).not.toContainEqual(expect.stringMatching(/^\.copy/u))
    await closeStore()

    const restored = await runByName('restore', [backup], 'other')
    expect(restored).toMatchObject({ code: 0, errors: '' })
    expect(restored.output).toContain(`The activity log verifies: ${head.sequence} rows`)
    const { db } = await openStore('other')
    const entries = await db.select().from(activity).orderBy(activity.sequence)
    expect(entries.at(-2)).toMatchObject(head)
    expect(entries.at(-1)).toMatchObject({ action: 'setting.restored', actor: 'command line' })
    expect(await verifyChain(db)).toMatchObject({ holds: true, count: head.sequence + 1 })
    expect(await db.select().from(sessions)).toMatchObject([{ endedAt: expect.any(Date) }])
    expect(await listOf('other/desk')).not.toContain('restoring')
  })

  it('needs a stop where the dashboard gives no copy, and says so in a line', async () => {
    await fill()
    const { code, errors } = await run('backup', [join(root, 'backups')])
    expect([code, errors]).toEqual([1, expect.stringMatching(/^The dashboard on .* Stop it first, then back up\.\n$/u)])
    expect(await listOf('backups')).toEqual([])
  })

  it('is none when the dashboard took its copy back while it was read', async () => {
    const opened = await fill()
    const [folder, copy] = [join(root, 'data', 'desk'), `.copy-${crypto.randomUUID()}`]
    await opened.copyFiles?.(join(folder, copy))
    const bytes = (await measureFolder(join(folder, copy))) + 1
    const server = createServer((socket) => socket.write(`${JSON.stringify({ copy, bytes })}\n`))
    server.listen(join(folder, 'backup.sock'))
    const { code, errors } = await run('backup', [join(root, 'backups')])
    server.close()
    expect([code, errors]).toEqual([1, 'The dashboard stopped meanwhile. Try again.\n'])
    expect(await listOf('backups')).toEqual([])
  })

  it('that cannot be offered keeps no dashboard from starting', async () => {
    // A file where the folder should be: nothing in it can be listed.
    await writeFile(join(root, 'file'), '')
    await expect(startCopies(join(root, 'file'), async () => undefined)).resolves.toBeUndefined()
  })

  it('refused by the disk leaves nothing behind, and names the reason', async () => {
    const opened = await fill()
    await startCopies(join(root, 'data', 'desk'), () => opened.db.execute(sql`select 1 / 0`).then(() => undefined))
    const { code, errors } = await run('backup', [join(root, 'backups')])
    expect([code, errors]).toEqual([1, 'The store could not be copied: see the log.\n'])
    expect(await listOf('backups')).toEqual([])
  })
})

it.skipIf(!canMount)('a backup is not begun on a disk that it would fill', async () => {
  await mkdir(join(root, 'disk'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', join(root, 'disk')])
  try {
    const { code, errors } = await run('backup', [join(root, 'disk', 'backups')])
    expect(errors).toMatch(
      /^The disk that holds \S+ has too little room: \d+ MB are free, \d+ MB are needed\. Make room there\.\n$/u,
    )
    expect([code, await listOf('disk/backups')]).toEqual([1, []])
  } finally {
    execFileSync('umount', ['-l', join(root, 'disk')])
  }
})

it('an interrupted backup leaves nothing behind', async () => {
  await fill()
  await closeStore()
  const interrupted = runByName('backup', [join(root, 'backups')])
  // It is being opened, in a copy.
  const listUnfinished = async () => {
    const [draft = ''] = await listOf('backups')
    return [...(await listOf(join('backups', draft))), ...(await listOf('temporary'))]
  }
  await expect.poll(listUnfinished, { interval: 2, timeout: 20_000 }).toHaveLength(2)
  running?.kill('SIGINT')
  expect(await interrupted).toMatchObject({ code: 130, errors: 'Interrupted: no backup was made.\n' })
  expect([await listOf('backups'), await listOf('temporary')]).toEqual([[], []])
})

describe('a restore', () => {
  it('refuses a store that is there, unless it may set it aside', async () => {
    const backup = await copyUsualBackup()
    const refused = await run('restore', [backup])
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/already\. With --replace/u)])
    await log(await openStore(), 2)
    await closeStore()
    const replaced = await run('restore', [backup, '--replace'])
    expect(replaced).toMatchObject({ code: 0, errors: '' })
    const [, aside = ''] = /The store before is kept in (\S+)\.$/mu.exec(replaced.output) ?? []
    expect(await stat(join(aside, 'PG_VERSION'))).toBeTruthy()
    expect(await (await openStore()).db.$count(activity)).toBe(4)
  })

  it('starts nothing again, and names it: bulks and imports are halted, open cancellations are only read', async () => {
    const { db } = await fill()
    const about = { connectionId: defaultConnectionId, userId: crypto.randomUUID(), userEmail: 'ann@shop.example' }
    const addBulk = async (state: BulkState) => {
      const bulk = {
        ...about,
        id: crypto.randomUUID(),
        state,
        count: 5_000,
        source: { kind: 'list', name: null } as const,
      }
      await db.insert(bulks).values({ ...bulk, confirmed: { reason: 'Twice', sessionId: crypto.randomUUID() } })
      return bulk.id
    }
    const [running, starting] = [await addBulk('running'), await addBulk('starting')]
    await addBulk('finished')
    const addCancellation = async (state: CancellationState, rest: Partial<typeof cancellations.$inferInsert> = {}) => {
      const [id, clientKey] = [crypto.randomUUID(), crypto.randomUUID()]
      await db.insert(cancellations).values({ ...about, id, clientKey, paymentId: id, reason: 'Twice', state, ...rest })
      return id
    }
    const sending = await addCancellation('sending', { attempts: 1 })
    const intended = await addCancellation('intended')
    const queued = await addCancellation('intended', { bulkId: running })
    const closed = await addCancellation('needs-person', { attempts: 1, closedAt: new Date() })
    const { connectionId, userEmail: startedBy } = about
    const file = { connectionId, id: crypto.randomUUID(), fileHash: 'a', fileName: 'may.csv', startedBy }
    await db.insert(customerImports).values({ ...file, state: 'held', problem: 'owner-signed-out' })
    await db.insert(customerImportRows).values({ connectionId, importId: file.id, line: 2, body: { name: 'Ann' } })
    const { output } = await run('restore', [await backUp()], 'other')
    expect(output).toContain(`${running} of ann@shop.example (5000 payments) was running: it is paused`)
    expect(output).toContain('The import of may.csv by ann@shop.example is on hold until somebody continues it: 1 line')
    expect(output).toContain('2 cancellations were open: only read at the provider from now on')
    expect(output).toContain(`${starting} of ann@shop.example (5000 payments) was starting: it is stopped`)
    const restored = await openStore('other')
    const found = await restored.db.select().from(bulks).orderBy(bulks.state)
    expect(found).toMatchObject([
      { state: 'finished', confirmed: expect.anything() },
      { id: running, state: 'paused', endedAt: null },
      { id: starting, state: 'stopped', confirmed: null, endedAt: expect.any(Date) },
    ])
    expect(await restored.db.select().from(customerImports)).toMatchObject([{ state: 'held', problem: 'restored' }])
    expect(await restored.db.select().from(customerImportRows)).toMatchObject([
      { state: 'unknown', failure: 'restored' },
    ])
    const listed = await restored.db.select().from(cancellations)
    const evidenceOf = (wanted: string) => listed.find(({ id, state }) => `${id} ${state}` === wanted)?.evidence
    expect(evidenceOf(`${sending} sending`)).toEqual({ restored: true })
    expect(evidenceOf(`${intended} unknown`)).toEqual({ restored: true, failure: 'restored' })
    expect([evidenceOf(`${queued} intended`), evidenceOf(`${closed} needs-person`)]).toEqual([{ restored: true }, {}])
    const entries = await restored.db.select().from(activity).orderBy(activity.sequence)
    expect(
      entries
        .slice(-5)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(['bulk.paused', 'bulk.stopped', 'cancellation.unknown', 'import.hold', 'setting.restored'])
  })

  it('refuses a running dashboard', async () => {
    const backup = await copyUsualBackup()
    await openStore()
    const { code, errors } = await run('restore', [backup, '--replace'])
    expect([code, errors]).toEqual([1, expect.stringMatching(/^The dashboard is running \(process \d+\)/u)])
  })

  it('refuses a log that does not verify, changing nothing', async () => {
    const { db } = await fill()
    await db.execute(sql`alter table activity disable trigger all`)
    await db.execute(sql`update activity set actor = 'bo' where sequence = 2`)
    const backup = await backUp()
    const { code, errors } = await run('restore', [backup], 'other')
    expect([code, errors]).toEqual([1, expect.stringContaining('does not verify: row 2 is altered')])
    expect(await listOf('other/desk')).toEqual([])
  })

  it('refuses a log other than the one whose heads are kept, and names one that went further', async () => {
    const backup = await copyUsualBackup()
    const { activity: head } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
    const key = deriveHeadKey(ACTIVITY_KEY)
    const further = signHead({ sequence: 9, hash: head.hash }, key, new Date())
    const heads = join(root, 'other', 'activity-heads.jsonl')
    await mkdir(join(root, 'other'), { mode: 0o700 })
    await writeFile(heads, `${JSON.stringify(signHead(head, key, new Date()))}\n${JSON.stringify(further)}\n`)
    expect((await run('restore', [backup], 'other')).output).toContain('A signed head of row 9')
    await rm(join(root, 'other', 'desk'), { recursive: true })
    await appendFile(heads, `${JSON.stringify(signHead({ sequence: 2, hash: head.hash }, key, new Date()))}\n`)
    const { code, errors } = await run('restore', [backup], 'other')
    expect([code, errors]).toEqual([1, expect.stringContaining('row 2 is replaced')])
  })

  it('refuses a backup that is newer, damaged or incomplete, or none', async () => {
    const backup = await copyUsualBackup()
    const manifest = join(backup, 'manifest.json')
    const text = await readFile(manifest, 'utf8')
    const refusal = async () => {
      const { code, errors } = await run('restore', [backup], 'other')
      expect([code, await listOf('other/desk')]).toEqual([1, []])
      return errors
    }
    await writeFile(manifest, text.replace(/"schema": \d+/u, '"schema": 99999999999999'))
    expect(await refusal()).toContain('a newer version of Debitdesk')
    await writeFile(manifest, text)
    await appendFile(join(backup, 'pglite', 'PG_VERSION'), ' ')
    expect(await refusal()).toContain('is damaged: pglite/PG_VERSION')
    await rm(join(backup, 'pglite', 'PG_VERSION'))
    expect(await refusal()).toContain('is incomplete: pglite/PG_VERSION')
    // What an interrupted backup leaves behind.
    await rm(manifest)
    expect(await refusal()).toContain('There is no backup in')
  })
})
