import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, gt, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'
import { parseSettings } from '../runtime/settings'
import { storeMigrations } from '../store/store'
import { activity } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { appendActivities } from './append'
import { type ChainedRow, genesisHash, hashEntry, verifyChain } from './hash-chain'
import {
  appendHead,
  deriveHeadKey,
  isSignedByItsKey,
  ensureHeadSecret,
  getHeadsPath,
  readHeads,
  readTrustedHeads,
  signHead,
} from './signed-head'
import { HeadSigner } from './head-signer'

const secret = 'the key that no store ever holds: 4711'
const stranger = deriveHeadKey('somebody else: the key that was made')
const minute = 60_000
const start = new Date('2026-11-25T09:00:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * minute)

let folder: string
let store: OpenDatabase
let written: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-heads-'))
  written = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function append(count: number, { db } = store): Promise<number> {
  const entry = { connectionId: 'default', actor: 'ann@example.com', objectKind: 'payment', details: {} }
  const entries = Array.from({ length: count }, (_, index) => ({ ...entry, action: 'x.done', objectId: `${index}` }))
  return db.transaction((tx) => appendActivities(tx, entries))
}

function open(address?: string): Promise<HeadSigner> {
  return HeadSigner.open({ db: store.db, secret, file: getHeadsPath(folder), address, every: 5 * minute })
}

const readSigned = async () => (await readHeads(getHeadsPath(folder)))?.heads ?? []
const sequences = async () => (await readSigned()).map(({ sequence }) => sequence)
const readRows = (db = store.db) => db.select().from(activity).orderBy(asc(activity.sequence))

/** What an owner of the tables could do: replace the rows from `sequence` on, with correct hashes. */
async function rewrite({ db }: OpenDatabase, sequence: number, change: (rows: ChainedRow[]) => ChainedRow[]) {
  const rows = (await readRows(db)) as ChainedRow[]
  const kept = rows.slice(0, sequence - 1)
  let previousHash = kept.at(-1)?.hash ?? genesisHash
  const others = change(rows.slice(sequence - 1)).map((row, index) => {
    const numbered = { ...row, sequence: sequence + index, previousHash }
    previousHash = hashEntry(previousHash, numbered)
    return { ...numbered, hash: previousHash }
  })
  await db.execute(sql`alter table activity disable trigger user`)
  await db.delete(activity).where(gt(activity.sequence, sequence - 1))
  if (others.length > 0) await db.insert(activity).values(others)
  await db.execute(sql`alter table activity enable trigger user`)
}

describe('the head of the log', () => {
  beforeEach(async () => {
    store = await openMemoryStore()
  })

  it('is signed at the start, after some minutes or many rows, and at the end', async () => {
    await append(3)
    const signer = await open()
    await signer.signIfDue(start)
    await append(1)
    await signer.signIfDue(after(4))
    expect(await sequences()).toEqual([3])
    await signer.signIfDue(after(5))
    await signer.signIfDue(after(30))
    expect(await sequences()).toEqual([3, 4])
    await append(1_000)
    await signer.signIfDue(after(6))
    await append(1)
    const next = await open()
    await next.signIfDue(after(7))
    expect(await sequences()).toEqual([3, 4, 1_004])
    await next.signIfDue(after(7), true)
    const heads = await readSigned()
    expect(heads.at(-1)).toMatchObject({ sequence: 1_005, hash: (await readRows()).at(-1)?.hash })
    expect(heads.every(isSignedByItsKey)).toBe(true)
    expect(written.filter((line) => line.includes('"event":"activity-head"'))).toHaveLength(4)
    expect(statSync(getHeadsPath(folder)).mode & 0o777).toBe(0o600)
  })

  it('is on a line of its own also after one that was cut short', async () => {
    await append(1)
    writeFileSync(getHeadsPath(folder), '{"sequence":')
    await (await open()).signIfDue(start)
    expect(await readHeads(getHeadsPath(folder))).toMatchObject({ heads: [{ sequence: 1 }], unread: 1 })
  })

  it.each<[what: string, change: (rows: ChainedRow[]) => ChainedRow[]]>([
    ['cut', () => []],
    ['replaced', (rows) => rows.map((row) => ({ ...row, actor: 'nobody' }))],
    ['replaced and longer', (rows) => [...rows, ...rows].map((row) => ({ ...row, actor: 'nobody' }))],
  ])('is not signed for a log that was %s meanwhile: the line log says so', async (_, change) => {
    await append(5)
    const signer = await open()
    await signer.signIfDue(start)
    await rewrite(store, 3, change)
    await signer.signIfDue(after(5), true)
    await signer.signIfDue(after(6), true)
    expect(await sequences()).toEqual([5])
    expect(written.filter((line) => line.includes('"event":"activity-chain-broken"'))).toHaveLength(1)
  })

  it('is made with a secret that is made once, for its owner alone', async () => {
    const made = await ensureHeadSecret(folder, undefined)
    expect(await ensureHeadSecret(folder, undefined)).toBe(made)
    expect(await ensureHeadSecret(folder, secret)).toBe(secret)
    expect(statSync(join(folder, 'activity.key')).mode & 0o777).toBe(0o600)
    expect(deriveHeadKey(made).publicKey).not.toBe(deriveHeadKey(secret).publicKey)
  })
})

describe('an address for heads', () => {
  let receiver: Server
  let address: string
  let received: { method: string | undefined; type: string | undefined; body: unknown }[] = []
  let status = 204

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      request.on('end', () => {
        if (status === 204)
          received.push({ method: request.method, type: request.headers['content-type'], body: JSON.parse(text) })
        response.writeHead(status).end()
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const bound = receiver.address()
    address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/heads`
  })
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  beforeEach(async () => {
    store = await openMemoryStore()
    received = []
  })

  it('gets each head once, in order; what it refused is sent again later', async () => {
    const signer = await open(address)
    await append(1)
    await signer.signIfDue(start)
    status = 503
    await signer.send(start)
    await append(1)
    await signer.signIfDue(after(5))
    status = 204
    await signer.send(new Date(start.getTime() + 1_000))
    expect(received).toEqual([])
    await signer.send(after(5))
    await signer.send(after(6))
    const heads = await readSigned()
    expect(received).toEqual(heads.map((body) => ({ method: 'POST', type: 'application/json', body })))
    expect(heads).toHaveLength(2)
    expect(written.filter((line) => line.includes('"event":"activity-head-not-sent"'))).toHaveLength(1)
  })
})

describe('a verification', () => {
  const settings = () => parseSettings({ DATA_DIR: folder, ACTIVITY_KEY: secret })
  const readHeadsOf = (given: { files?: string[]; trust?: string[] } = {}) => readTrustedHeads(settings(), given)
  const verify = async (given?: { files?: string[] }) => verifyChain(store.db, (await readHeadsOf(given)).heads)
  const replaceAll = (rows: ChainedRow[]) => rows.map((row) => ({ ...row, actor: 'nobody' }))

  beforeEach(async () => {
    store = await openMemoryStore()
    await append(10)
    await (await open()).signIfDue(start)
    await append(2)
  })

  it.each<[what: string, from: number, change: (rows: ChainedRow[]) => ChainedRow[], sequence: number, reason: string]>(
    [
      ['a byte changed', 4, ([row, ...rows]) => (row ? [{ ...row, actor: 'b' }, ...rows] : []), 10, 'replaced'],
      ['rows deleted in the middle', 4, (rows) => rows.slice(2), 10, 'replaced'],
      ['its tail cut off', 9, () => [], 9, 'cut'],
      ['everything replaced', 1, replaceAll, 10, 'replaced'],
    ],
  )('finds %s, though all was hashed again', async (_, from, change, sequence, reason) => {
    expect(await verify()).toMatchObject({ holds: true, count: 12 })
    await rewrite(store, from, change)
    expect(await verifyChain(store.db)).toMatchObject({ holds: true })
    expect(await verify()).toMatchObject({ holds: false, sequence, reason })
  })

  it('finds it by heads that were given out, also without the desk’s own file', async () => {
    const elsewhere = join(folder, 'given-out.jsonl')
    renameSync(getHeadsPath(folder), elsewhere)
    await rewrite(store, 2, replaceAll)
    expect(await verify()).toMatchObject({ holds: true })
    expect(await verify({ files: [elsewhere] })).toMatchObject({ holds: false, sequence: 10 })
    await expect(verify({ files: [join(folder, 'none')] })).rejects.toThrow('There is no file')
  })

  it('believes no head that a trusted key did not sign', async () => {
    const [head] = await readSigned()
    if (!head) throw new Error('no head')
    const other = signHead({ sequence: 11, hash: head.hash }, stranger, start)
    for (const forged of [other, { ...head, sequence: 11 }, { ...head, at: after(1).toISOString() }]) {
      writeFileSync(getHeadsPath(folder), `${JSON.stringify(head)}\n${JSON.stringify(forged)}\n`)
      expect(await readHeadsOf()).toEqual({ heads: [head], forged: [forged], unread: 0 })
    }
    writeFileSync(getHeadsPath(folder), `${JSON.stringify(head)}\n${JSON.stringify(other)}\n`)
    expect((await readHeadsOf({ trust: [stranger.publicKey] })).forged).toEqual([head])
    expect((await readHeadsOf({ trust: [stranger.publicKey, head.key] })).forged).toEqual([])
    await expect(readTrustedHeads(parseSettings({ DATA_DIR: folder }), {})).rejects.toThrow('There is no key')
  })
})

it('is what npm run verify-activity does', async () => {
  await copyMigratedFolder(join(folder, 'desk'), storeMigrations)
  const openDesk = () => openDatabase({ folder: join(folder, 'desk'), migrationsFolder: storeMigrations })
  /** In a process of its own, like an operator, after the desk has released its folder. */
  const verify = async (...args: string[]) => {
    await store.close()
    const { PATH, NODE_OPTIONS } = process.env
    const env = { PATH, NODE_OPTIONS, NODE_ENV: 'test' as const, DATA_DIR: folder, ACTIVITY_KEY: secret }
    const program = ['scripts/run-program.mjs', 'lib/server/activity-log/verify-activity.ts']
    const ended = await new Promise<{ code: number; said: string }>((resolve) => {
      execFile(process.execPath, [...program, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, said: `${stdout}${stderr}` }),
      )
    })
    store = await openDesk()
    return ended
  }
  store = await openDesk()
  await append(10)
  await (await open()).signIfDue(start)
  await append(2)
  const { code, said } = await verify()
  expect(said).toMatch(
    /^12 rows, all as they were written\. Head: 12:[0-9a-f]{64}\n1 signed head agrees, the last of row 10 at /u,
  )
  expect(said).toContain(`2026-11-25T09:00:00.000Z, key ${deriveHeadKey(secret).publicKey}.`)
  expect(code).toBe(0)
  // What can't be read is no verdict on the log.
  expect(await verify('--heads', folder)).toEqual({ code: 2, said: `The file ${folder} cannot be read (EISDIR).\n` })
  await store.db.execute(sql`alter table activity rename to activity_away`)
  expect(await verify()).toEqual({ code: 2, said: 'The activity log could not be read (42P01).\n' })
  await store.db.execute(sql`alter table activity_away rename to activity`)
  // A head with another key fails the verification without hiding any of it.
  await appendHead(getHeadsPath(folder), signHead({ sequence: 5, hash: genesisHash }, stranger, start))
  const whole = /^12 rows, all as they were written\.(?:.|\n)*The head of row 5 with the key /u
  expect(await verify()).toEqual({ code: 1, said: expect.stringMatching(whole) })
  await rewrite(store, 1, (rows) => rows.map((row) => ({ ...row, actor: 'nobody' })))
  expect(await verify()).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^Row 10 is another than when that head was printed or signed: the log was replaced\.(?:.|\n)*\nThe head of row 5 /u,
    ),
  })
})
