import { createHash, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { AppError } from '../runtime/app-error'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity, connections, memberships, users } from '../store/schema'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../testing/fault-service'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { makeLineKey } from './send-line'
import { runImport } from './worker'
import { resumeImport, startImport, stopImport } from './commands'
import { findImport, type ImportRow, listImports, viewImport, writeImportResult } from './import-record'

const admin = makeSession('admin')
const mapping = { name: 0, number: 1 }

let service: FaultService
let store: OpenDatabase
let answer: (request: RecordedRequest, count: number) => Script | Promise<Script>

const created = (): Script => ({ status: 201, body: JSON.stringify({ id: randomUUID(), handle: 'cu_1' }) })
const creations = () => service.requests.filter(({ method }) => method === 'POST')
const keysOf = (requests: RecordedRequest[]) => requests.map(({ headers }) => headers['idempotency-key'])

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService((request) =>
    request.method === 'GET' ? { body: '{"results":[],"hasMore":false}' } : answer(request, creations().length),
  )
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await openMemoryStore()
  await store.db.execute(sql`alter table activity disable trigger user`)
  await store.db.insert(users).values({ id: admin.userId, email: admin.email })
  await store.db
    .insert(memberships)
    .values({ connectionId: admin.scope.connectionId, userId: admin.userId, role: 'admin' })
})
beforeEach(async () => {
  service.requests.length = 0
  answer = created
  await store.db.delete(customerImportRows)
  await store.db.delete(customerImports)
  // The log remembers every file, so each test starts without it.
  await store.db.delete(activity)
})
afterAll(async () => {
  await service.close()
  await store.close()
})

/** Runs it to its end on one desk. */
async function work(row: ImportRow): Promise<void> {
  await (await runImport(store.db, admin, row, 50)).ended
}

async function run(text: string) {
  const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
  await work(row)
  return viewImport(store.db, await findImport(store.db, admin.scope, row.id))
}

const text = 'Name,Number\nAnn,1\nBo,2\n,3\n'

describe('an import', () => {
  it('creates each line once, leaves flawed lines out, and tells both', async () => {
    const view = await run(text)
    expect(view).toMatchObject({
      state: 'done',
      counts: { waiting: 0, created: 2, refused: 0, leftOut: 1, unknown: 0 },
    })
    expect(view.troubles).toEqual([{ line: 4, state: 'left-out', message: 'Name must not be empty.', leftOutBy: null }])
    expect(view.customers).toEqual([
      { line: 2, name: 'Ann', customerId: expect.any(String) },
      { line: 3, name: 'Bo', customerId: expect.any(String) },
    ])
    expect(await listImports(store.db, admin.scope)).toEqual([{ ...view, customers: [] }])
    expect(creations().map(({ body }) => JSON.parse(body))).toEqual([
      { name: 'Ann', number: '1' },
      { name: 'Bo', number: '2' },
    ])
    expect(await writeImportResult(store.db, view.importId)).toMatch(/\r\n2,created,[^,]+,cu_1,,Ann,1,/u)
  })

  it('creates nobody twice when the same file is run again', async () => {
    const first = await run(text)
    const second = await run(text)
    expect(second.importId).toBe(first.importId)
    expect(creations()).toHaveLength(2)
  })

  it('waits as long as a 429 asks, and sends the line again under the same key', async () => {
    answer = (_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '1' }, body: '{}' } : created())
    const began = Date.now()
    expect(await run('Name\nAnn\n')).toMatchObject({ state: 'done', counts: { created: 1 } })
    expect(Date.now() - began).toBeGreaterThanOrEqual(950)
    const [first, second] = keysOf(creations())
    expect(second).toBe(first)
    expect(first).toBe(makeLineKey(admin.scope.connectionId, sha256('Name\nAnn\n'), 2, 0))
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
  })

  it('keeps what the service said of a refused line, and sends it anew under another key', async () => {
    const body = JSON.stringify({ title: 'Bad', detail: 'The number is taken.', errors: { Number: ['Taken.'] } })
    answer = () => ({ status: 400, headers: { 'content-type': 'application/problem+json' }, body })
    const refused = await run('Name,Number\nAnn,1\n')
    expect(refused.troubles[0]?.message).toBe('The number is taken: number Taken.')
    answer = created
    expect(await run('Name,Number\nAnn,1\n')).toMatchObject({ counts: { created: 1, refused: 0 } })
    expect(new Set(keysOf(creations())).size).toBe(2)
  })

  it('is held when the credential is refused, sends nothing more, and can go on', async () => {
    answer = () => ({ status: 401, body: '{}' })
    const held = await run(text)
    expect(held).toMatchObject({ state: 'held', problem: 'upstream-credential', counts: { waiting: 2, unknown: 0 } })
    expect(creations()).toHaveLength(1)
    answer = created
    await work(await resumeImport(store.db, admin, held.importId))
    expect(await viewImport(store.db, await findImport(store.db, admin.scope, held.importId))).toMatchObject({
      state: 'done',
      counts: { created: 2 },
    })
  })

  it('stops after the line that is being sent', async () => {
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    answer = () => ({ ...created(), delay: 300 })
    const running = work(row)
    await vi.waitFor(() => expect(creations()).toHaveLength(1), 20_000)
    await stopImport(store.db, admin, row.id)
    await running
    expect(await viewImport(store.db, await findImport(store.db, admin.scope, row.id))).toMatchObject({
      state: 'stopped',
      counts: { waiting: 1, created: 1 },
    })
    expect(creations()).toHaveLength(1)
  })

  it('is held before the next line when whoever started it loses the role, and goes on with it', async () => {
    const ofAdmin = eq(memberships.userId, admin.userId)
    answer = () => ({ ...created(), delay: 200 })
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    const running = work(row)
    await vi.waitFor(() => expect(creations()).toHaveLength(1), 20_000)
    await store.db.update(memberships).set({ role: 'viewer' }).where(ofAdmin)
    await running
    const held = await viewImport(store.db, await findImport(store.db, admin.scope, row.id))
    expect(held).toMatchObject({ state: 'held', problem: 'forbidden', counts: { waiting: 1, created: 1 } })
    expect(creations()).toHaveLength(1)
    await store.db.update(memberships).set({ role: 'admin' }).where(ofAdmin)
    await work(await resumeImport(store.db, admin, row.id))
    expect(await viewImport(store.db, await findImport(store.db, admin.scope, row.id))).toMatchObject({
      state: 'done',
      counts: { created: 2 },
    })
  })

  it('is held before the next line when its merchant was removed meanwhile', async () => {
    const ofMerchant = eq(connections.connectionId, admin.scope.connectionId)
    answer = async () => {
      await store.db.update(connections).set({ removedAt: new Date() }).where(ofMerchant)
      return created()
    }
    try {
      expect(await run(text)).toMatchObject({ state: 'held', problem: 'forbidden', counts: { waiting: 1, created: 1 } })
      expect(creations()).toHaveLength(1)
    } finally {
      await store.db.update(connections).set({ removedAt: null }).where(ofMerchant)
    }
  })

  it('names the created customers once it no longer runs', async () => {
    const found = () => findImport(store.db, admin.scope, row.id)
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    answer = async (_, count) => (await (count === 2 ? held : undefined), created())
    const working = work(row)
    await vi.waitFor(() => expect(creations()).toHaveLength(2), 20_000)
    const running = { state: 'running', counts: { created: 1 }, customers: [] }
    expect(await viewImport(store.db, await found())).toMatchObject(running)
    letGo()
    await working
    expect((await viewImport(store.db, await found())).customers).toHaveLength(2)
  })

  it('says that it was interrupted when no process works on it', async () => {
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    expect(await viewImport(store.db, row)).toMatchObject({ state: 'interrupted' })
  })

  it('is worked on by one of two desks, and taken over once that one has been silent for long', async () => {
    const found = () => findImport(store.db, admin.scope, row.id)
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    answer = async (_, count) => (await (count === 1 ? held : undefined), created())
    const first = work(row)
    await vi.waitFor(() => expect(creations()).toHaveLength(1), 20_000)
    await work(await resumeImport(store.db, admin, row.id))
    expect(await viewImport(store.db, await found())).toMatchObject({ state: 'running' })
    expect(creations()).toHaveLength(1)
    // The first worker hangs, and its lease expires.
    await store.db.update(customerImports).set({ leaseUntil: new Date(Date.now() - 1) })
    await work(await found())
    // The line in flight is not sent again: it is searched for, then held for a user.
    expect(await viewImport(store.db, await found())).toMatchObject({ state: 'done', counts: { created: 1, held: 1 } })
    letGo()
    await first
    // A late reply still counts.
    const done = { state: 'done', counts: { created: 2, unknown: 0 } }
    expect(await viewImport(store.db, await found())).toMatchObject(done)
    expect(new Set(keysOf(creations())).size).toBe(2)
    expect(creations()).toHaveLength(2)
  })

  it('goes on when it is set to run again while it comes to a stop', async () => {
    const row = await startImport(store.db, admin, { fileName: 'a.csv', text, mapping })
    answer = () => ({ ...created(), delay: 300 })
    const running = work(row)
    await vi.waitFor(() => expect(creations()).toHaveLength(1), 20_000)
    await stopImport(store.db, admin, row.id)
    await work(await resumeImport(store.db, admin, row.id))
    await running
    expect(await viewImport(store.db, await findImport(store.db, admin.scope, row.id))).toMatchObject({
      state: 'done',
      counts: { created: 2 },
    })
    expect(new Set(keysOf(creations())).size).toBe(creations().length)
  })

  it.each(['Name', ''])('refuses a file without lines: %j', async (empty) => {
    const refusal: AppError = await startImport(store.db, admin, { fileName: 'a.csv', text: empty, mapping }).then(
      () => Promise.reject(new Error('it was taken')),
      (error: AppError) => error,
    )
    expect(refusal.code).toBe('bad-request')
  })
})

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
