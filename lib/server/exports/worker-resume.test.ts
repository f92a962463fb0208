import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { listExports } from '../store/export-schema'
import { activity } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { getOwnLeases, viewExport } from './queries'
import { resumeExport, stopExport } from './commands'
import { storePart } from './export-parts'

const fixture = new ExportFixture(makePayments(0))

it('knows a row that came before a pause when it comes again after it', async () => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  fixture.onPage = (at) => (at === 300 ? stopExport(fixture.db, fixture.session, row) : undefined)
  await fixture.work(row)
  fixture.onPage = () => undefined
  fixture.payments = [...makePayments(1).map((one) => ({ ...one, id: randomUUID() })), ...fixture.payments]
  expect(viewExport(await fixture.resume(row))).toMatchObject({
    state: 'stopped',
    reason: 'list-incomplete',
    rows: 501,
  })
})

it.each([
  ['complete', null],
  ['stopped', 'list-incomplete'],
])('ends with its last page: killed right before it is %s, it goes on without a row twice', async (state, reason) => {
  fixture.payments = makePayments(250)
  // Says there is more, but not where.
  const last = { results: fixture.payments.slice(200), hasMore: true }
  if (reason !== null) fixture.troubles.set(200, { body: JSON.stringify(last) })
  const row = await fixture.start()
  await fixture.db.execute(
    sql`create function refuse_end() returns trigger language plpgsql as 'begin raise exception ''killed''; end'`,
  )
  await fixture.db.execute(
    sql`create trigger refuse_end before update on list_exports for each row when (new.state <> 'running') execute function refuse_end()`,
  )
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const killed = fixture.work(row)
  await vi.waitFor(() => expect(String(written.mock.calls)).toContain('export-failed'), { timeout: 20_000 })
  written.mockRestore()
  // Another desk, which does not know the leases of this one, takes over.
  getOwnLeases().clear()
  await fixture.db.update(listExports).set({ leaseUntil: null }).where(eq(listExports.id, row.id))
  const resumed = await resumeExport(fixture.db, fixture.session, await fixture.find(row))
  await killed
  await fixture.db.execute(sql`drop function refuse_end cascade`)
  if (!resumed) throw new Error('it cannot go on')
  expect(viewExport(await fixture.work(resumed))).toMatchObject({ state, reason, rows: 250 })
  expect(await fixture.readRows(row)).toHaveLength(250)
  const ends = await fixture.db.select().from(activity).where(eq(activity.objectId, row.id))
  expect(ends.filter(({ action }) => action === 'export.end')).toHaveLength(1)
})

it('stays its writer’s while its many parts are read again', async () => {
  fixture.payments = makePayments(100)
  const row = await fixture.start()
  const text = 'a\r\n'
  for (let part = 1; part < 450; part += 1) await storePart(fixture.db, { exportId: row.id, part, text })
  await fixture.db.update(listExports).set({ state: 'stopped', after: '0', parts: 450, leaseUntil: null })
  const resumed = await resumeExport(fixture.db, fixture.session, await fixture.find(row))
  if (!resumed) throw new Error('it cannot go on')
  // As long ago as reading so many took.
  await fixture.db.update(listExports).set({ leaseUntil: new Date(0) })
  let leased: boolean | undefined
  fixture.onPage = async () => {
    leased ??= (await fixture.find(row)).isLeased
  }
  expect(viewExport(await fixture.work(resumed))).toMatchObject({ state: 'complete', rows: 100 })
  expect(leased).toBe(true)
})

it.each(['stopped', 'resumed elsewhere'])(
  'takes back no export that was %s while its parts were read again',
  async (how) => {
    fixture.payments = makePayments(100)
    const row = await fixture.start()
    for (let part = 1; part < 250; part += 1) await storePart(fixture.db, { exportId: row.id, part, text: 'a\r\n' })
    await fixture.db.update(listExports).set({ parts: 250, leaseUntil: new Date(0), holder: row.holder })
    const [leaseUntil, holder] = [new Date(1_000), randomUUID()]
    if (how === 'stopped') await stopExport(fixture.db, fixture.session, row)
    else await fixture.db.update(listExports).set({ holder, leaseUntil })
    await fixture.work({ ...row, parts: 250 })
    expect(await fixture.find(row)).toMatchObject(
      how === 'stopped'
        ? { state: 'stopped', reason: 'by-person', isLeased: false }
        : { state: 'running', holder, leaseUntil },
    )
  },
)

it('is written by one desk alone when another has taken it for interrupted during a slow page', async () => {
  fixture.payments = makePayments(500)
  const whole = await fixture.run()
  const row = await fixture.start()
  let letGo: (() => void) | undefined
  const slow = new Promise<void>((resolve) => (letGo = resolve))
  let begun: (() => void) | undefined
  const waiting = new Promise<void>((resolve) => (begun = resolve))
  fixture.onPage = (at) => {
    if (at !== 300 || !begun) return undefined
    begun()
    begun = undefined
    return slow
  }
  const first = fixture.work(row)
  await waiting
  // The other desk does not know this one's leases.
  getOwnLeases().clear()
  await fixture.db.update(listExports).set({ leaseUntil: null })
  await fixture.resume(row)
  letGo?.()
  await first
  expect(await fixture.find(row)).toMatchObject({
    state: 'complete',
    reason: null,
    rows: 500,
    sha256: whole.sha256,
  })
  const ends = await fixture.db.select().from(activity).where(eq(activity.objectId, row.id))
  expect(ends.filter(({ action }) => action === 'export.end')).toHaveLength(1)
})
