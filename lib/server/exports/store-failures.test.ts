import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CommitUnknownError } from '@/lib/database/errors'
import type { Database } from '@/lib/database/database'
import { listExportParts, listExports } from '../store/export-schema'
import { activity } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { resumeExport, stopExport } from './commands'
import { type ExportRow, viewExport } from './queries'
import { runExport } from './worker'

const fixture = new ExportFixture(makePayments(0))
const refused = { status: 401, headers: { 'content-type': 'application/json' }, body: '{}' }

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  fixture.payments = makePayments(250)
})

/** The fixture's database with another way of doing transactions. */
const withOwn = (transaction: Database['transaction']) =>
  new Proxy(fixture.db, { get: (target, key) => (key === 'transaction' ? transaction : Reflect.get(target, key)) })

async function work(db: Database, row: ExportRow): Promise<ExportRow> {
  await runExport(db, fixture.session, row)
  return fixture.find(row)
}

const hashFile = async (row: ExportRow) =>
  createHash('sha256')
    .update(Buffer.from(await fixture.readBytes(row)))
    .digest('hex')

const readEnds = ({ id }: ExportRow) =>
  fixture.db
    .select()
    .from(activity)
    .where(and(eq(activity.objectId, id), eq(activity.action, 'export.end')))

type Loss = { from: number; to?: number; undone?: boolean; meanwhile?: () => Promise<unknown> }

/** Loses the replies of transactions `from` to `to`, which were committed or `undone`; after the first comes `meanwhile`. */
function losing({ from, to = from, undone = false, meanwhile }: Loss): Database {
  let count = 0
  return withOwn(async (transact, config) => {
    count += 1
    const isLost = count >= from && count <= to
    if (!isLost) return fixture.db.transaction(transact, config)
    if (!undone) await fixture.db.transaction(transact, config)
    if (count === from) await meanwhile?.()
    throw new CommitUnknownError({ cause: new Error('no reply') })
  })
}

describe('a page the reply to whose COMMIT is lost', () => {
  it.each([
    ['the last', 3],
    ['one before', 2],
  ])('was stored once: %s', async (_, from) => {
    const whole = await fixture.run()
    const row = await work(losing({ from }), await fixture.start())
    expect(row).toMatchObject({ state: 'complete', reason: null, rows: 250, sha256: whole.sha256 })
    expect(await readEnds(row)).toHaveLength(1)
  })

  it('leaves an export complete that it has ended', async () => {
    const row = await work(losing({ from: 3, to: 7 }), await fixture.start())
    expect(row).toMatchObject({ state: 'complete', rows: 250, sha256: await hashFile(row) })
    expect(await readEnds(row)).toHaveLength(1)
  })

  it('stops an export that it is stored in, once, to be resumed to the same file', async () => {
    const whole = await fixture.run()
    // The last one is the end of the export.
    const row = await work(losing({ from: 2, to: 6 }), await fixture.start())
    expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'outcome-unknown', rows: 200, mayResume: true })
    expect(row.sha256).toBe(await hashFile(row))
    expect(await readEnds(row)).toHaveLength(1)
    expect(await fixture.resume(row)).toMatchObject({ state: 'complete', rows: 250, sha256: whole.sha256 })
  })

  it('leaves an export stopped by its person, with its hash', async () => {
    const started = await fixture.start()
    const row = await work(
      losing({ from: 2, to: 6, meanwhile: () => stopExport(fixture.db, fixture.session, started) }),
      started,
    )
    expect(row).toMatchObject({ state: 'stopped', reason: 'by-person', rows: 200, sha256: await hashFile(row) })
    expect(await readEnds(row)).toMatchObject([{ details: { outcome: 'done', reason: 'by-person' } }])
  })

  it('stops an export that it is not stored in', async () => {
    const whole = await fixture.run()
    const row = await work(losing({ from: 2, to: 5, undone: true }), await fixture.start())
    expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'outcome-unknown', rows: 100, mayResume: true })
    expect(row.sha256).toBe(await hashFile(row))
    expect(await fixture.resume(row)).toMatchObject({ state: 'complete', rows: 250, sha256: whole.sha256 })
  })
})

it('cannot be resumed past its last page, as an earlier version left some', async () => {
  const { id } = await fixture.run()
  await fixture.db
    .update(listExports)
    .set({ state: 'stopped', reason: 'outcome-unknown' })
    .where(eq(listExports.id, id))
  const row = await fixture.find({ id })
  expect(viewExport(row).mayResume).toBe(false)
  expect(await resumeExport(fixture.db, fixture.session, row)).toBeNull()
  // As it was read before its last page.
  const earlier = { ...row, parts: row.parts - 1, after: '200' }
  expect(await resumeExport(fixture.db, fixture.session, earlier)).toBeNull()
})

it('stays stopped by its person where the page under way then fails', async () => {
  const started = await fixture.start()
  fixture.onPage = (at) => (at === 100 ? stopExport(fixture.db, fixture.session, started) : undefined)
  fixture.troubles.set(100, refused)
  const row = await fixture.work(started)
  expect(row).toMatchObject({ state: 'stopped', reason: 'by-person', rows: 100, sha256: await hashFile(row) })
  expect(await readEnds(row)).toMatchObject([{ details: { outcome: 'done', reason: 'by-person' } }])
})

describe('a read of the store that fails', () => {
  /** As Postgres ends a session; so do the next `ends` transactions. */
  function failingAt(failing: number, ends = 0): Database {
    let count = 0
    let left = ends
    const get = (target: Database, key: keyof Database) => {
      if (key === 'select') count += 1
      const isAway = count >= failing && key === 'transaction' && left > 0
      if (isAway) left -= 1
      if (isAway || (key === 'select' && count === failing))
        throw Object.assign(new Error('terminating connection'), { code: '57P01' })
      return Reflect.get(target, key)
    }
    return new Proxy(fixture.db, { get })
  }

  it('between two pages stops an export for a reason that passes, and leaves a file', async () => {
    const row = await work(failingAt(3), await fixture.start())
    expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'store-unavailable', rows: 100, mayResume: true })
    expect(row.endedAt).not.toBeNull()
    expect(row.sha256).toBe(await hashFile(row))
    expect(await readEnds(row)).toMatchObject([{ details: { outcome: 'failed', reason: 'store-unavailable' } }])
    expect(await fixture.resume(row)).toMatchObject({ state: 'complete', rows: 250 })
  })

  it('and is away for a while stops an export once it is back', async () => {
    const row = await work(failingAt(3, 3), await fixture.start())
    expect(row).toMatchObject({ state: 'stopped', reason: 'store-unavailable', sha256: await hashFile(row) })
    expect(await readEnds(row)).toHaveLength(1)
    expect(await fixture.resume(row)).toMatchObject({ state: 'complete', rows: 250 })
  })

  it('is in the log with its cause', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockClear()
    await work(failingAt(3), await fixture.start())
    expect(written.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('57P01'))).toMatchObject([
      expect.stringContaining('"event":"export-failed"'),
    ])
  })

  it('while parts are read again states no hash of some of them', async () => {
    const row = await work(failingAt(1), await fixture.start())
    expect(row).toMatchObject({ state: 'stopped', reason: 'store-unavailable', sha256: null })
    expect(await readEnds(row)).toHaveLength(1)
    expect(await fixture.resume(row)).toMatchObject({ state: 'complete', rows: 250 })
  })
})

it('stops for good where a part cannot be read', async () => {
  fixture.troubles.set(100, refused)
  const { id } = await fixture.run()
  await fixture.db.update(listExportParts).set({ text: 'changed' }).where(eq(listExportParts.exportId, id))
  expect(await fixture.resume({ id })).toMatchObject({ state: 'stopped', reason: 'secret-locked', sha256: null })
})

it('ends also where the desk is at fault, with its hash and in the log', async () => {
  const row = await fixture.run({ zone: 'Nowhere/At_All' })
  expect(row).toMatchObject({ state: 'stopped', reason: 'internal', sha256: await hashFile(row) })
  expect(row.endedAt).not.toBeNull()
  expect(await readEnds(row)).toMatchObject([{ details: { outcome: 'failed', reason: 'internal' } }])
})

it('ends in a transaction that is repeated after a conflict', async () => {
  fixture.troubles.set(100, refused)
  const db = withOwn(async (transact, config) => {
    const undo = new Error('deadlock detected')
    await fixture.db
      .transaction(async (tx) => {
        await transact(tx)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return fixture.db.transaction(transact, config)
  })
  const row = await work(db, await fixture.start())
  expect(row).toMatchObject({ state: 'stopped', reason: 'upstream-credential', sha256: await hashFile(row) })
})
