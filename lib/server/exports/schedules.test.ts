import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Filter } from '@/lib/api-contract/filter'
import type { ExportScheduleRequest } from '@/lib/domain/lists/export-schedule'
import { exportSchedules, listExports } from '../store/export-schema'
import { activity, attempts, memberships } from '../store/schema'
import { readCapabilities } from '../upstream/capabilities'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { listOwnExports, viewExport } from './queries'
import { createSchedule, deleteSchedule, listSchedules, resolveQuery, runDueSchedules, viewSchedule } from './schedules'

const fixture = new ExportFixture(makePayments(30))
const request: ExportScheduleRequest = {
  query: { list: 'listPayments', asked: null, rest: null, order: null, filters: {}, columns: ['id'], zone: 'UTC' },
  moving: [],
  times: { rhythm: 'daily', day: 1, hour: 7 },
}
const before = Date.parse('2026-11-27T05:00:00Z')
const due = Date.parse('2026-11-27T06:00:10Z')

const readActions = async () =>
  (await fixture.db.select({ action: activity.action }).from(activity)).map(({ action }) => action)

afterEach(async () => {
  await vi.waitUntil(async () => (await fixture.db.$count(listExports, eq(listExports.state, 'running'))) === 0, {
    timeout: 20_000,
  })
  await fixture.db.delete(exportSchedules)
  await fixture.db.delete(listExports)
})

describe('a scheduled export', () => {
  it('is made when it is due, once for all desks, and again the next day', async () => {
    const { db } = fixture
    const row = await createSchedule(db, fixture.session, request, before)
    expect(viewSchedule(row)).toMatchObject({ nextAt: '2026-11-27T06:00:00.000Z', problem: null })
    await runDueSchedules(db, before)
    expect(await listOwnExports(db, fixture.session)).toEqual([])
    await Promise.all([runDueSchedules(db, due), runDueSchedules(db, due)])
    await vi.waitFor(
      async () =>
        expect((await listOwnExports(db, fixture.session)).map(viewExport)).toMatchObject([
          { state: 'complete', rows: 30 },
        ]),
      { timeout: 20_000 },
    )
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { nextAt: '2026-11-28T06:00:00.000Z' },
    ])
    await runDueSchedules(db, due)
    expect(await listOwnExports(db, fixture.session)).toHaveLength(1)
    expect(await readActions()).toEqual(expect.arrayContaining(['export.schedule', 'export.start', 'export.end']))
  })

  it('is made at its next time after a clock that was ahead is corrected; others keep theirs', async () => {
    const { db } = fixture
    const weekly = { rhythm: 'weekly', day: 4, hour: 7 } as const
    const daily = await createSchedule(db, fixture.session, request, before)
    await createSchedule(db, fixture.session, { ...request, times: weekly }, before)
    await db
      .update(exportSchedules)
      .set({ nextAt: new Date(before + 365 * 86_400_000) })
      .where(eq(exportSchedules.id, daily.id))
    await runDueSchedules(db, before)
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { nextAt: '2026-11-27T06:00:00.000Z' },
      { nextAt: '2026-12-03T06:00:00.000Z' },
    ])
    // An hour ahead, by which it was made today.
    await db
      .update(exportSchedules)
      .set({ nextAt: new Date('2026-11-28T06:00:00Z') })
      .where(eq(exportSchedules.id, daily.id))
    await runDueSchedules(db, Date.parse('2026-11-27T05:10:00Z'))
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { nextAt: '2026-11-27T06:00:00.000Z' },
      { nextAt: '2026-12-03T06:00:00.000Z' },
    ])
    // Of another desk, which ran it by a clock that is a little ahead.
    const thursday = Date.parse('2026-12-03T05:59:50Z')
    await db.delete(exportSchedules).where(eq(exportSchedules.id, daily.id))
    await db.update(exportSchedules).set({ nextAt: new Date('2026-12-10T06:00:00Z') })
    await runDueSchedules(db, thursday)
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { nextAt: '2026-12-10T06:00:00.000Z' },
    ])
    expect(await listOwnExports(db, fixture.session)).toEqual([])
  })

  it('is tried again at its next time where it cannot start as it is', async () => {
    const { db } = fixture
    await createSchedule(
      db,
      fixture.session,
      { ...request, query: { ...request.query, columns: ['nonsense'] } },
      before,
    )
    await runDueSchedules(db, due)
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { problem: 'bad-request', nextAt: '2026-11-28T06:00:00.000Z' },
    ])
  })

  it('makes no empty file where it names a date that its list does not have', async () => {
    const { db } = fixture
    const query = { ...request.query, list: 'listMandates' } as const
    await createSchedule(
      db,
      fixture.session,
      { ...request, query, moving: [{ field: 'createdAt', preset: 'today' }] },
      before,
    )
    await runDueSchedules(db, due)
    expect(await listOwnExports(db, fixture.session)).toEqual([])
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([{ problem: 'bad-request' }])
  })

  it('is made a little later where the store failed, and keeps up no other', async () => {
    const { db } = fixture
    await createSchedule(db, fixture.session, request, before)
    await createSchedule(
      db,
      fixture.session,
      { ...request, query: { ...request.query, columns: ['nonsense'] } },
      before,
    )
    await db.execute(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    )
    await db.execute(sql`create trigger refuse before insert on list_exports for each row execute function refuse()`)
    await runDueSchedules(db, due)
    await db.execute(sql`drop function refuse cascade`)
    expect(
      (await listSchedules(db, fixture.session))
        .map(viewSchedule)
        .toSorted((one) => (one.problem === 'not-possible' ? -1 : 1)),
    ).toMatchObject([
      { problem: 'not-possible', nextAt: new Date(due + 300_000).toISOString() },
      { problem: 'bad-request', nextAt: '2026-11-28T06:00:00.000Z' },
    ])
    await runDueSchedules(db, due + 300_000)
    expect(await listOwnExports(db, fixture.session)).toHaveLength(1)
  })

  it('is of the days that it was planned for, where it is late', async () => {
    const { db } = fixture
    const moving = [{ field: 'paymentDate', preset: 'today' }]
    const times = { rhythm: 'daily', day: 1, hour: 23 } as const
    await createSchedule(db, fixture.session, { ...request, moving, times }, before)
    await runDueSchedules(db, Date.parse('2026-11-27T23:10:00Z'))
    const [row] = await listOwnExports(db, fixture.session)
    // From midnight to midnight in Copenhagen.
    expect(JSON.stringify(row?.query.rest)).toMatch(/2026-11-26T23:00.*2026-11-27T23:00/u)
  })

  it('asks the service for nothing that it cannot do by then', async () => {
    const { db } = fixture
    const asked: Filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Settled' }
    const query = { ...request.query, asked, order: { field: 'amount', direction: 'asc' } as const }
    await createSchedule(db, fixture.session, { ...request, query }, before)
    await runDueSchedules(db, due)
    const [row] = await listOwnExports(db, fixture.session)
    expect(row?.query).toMatchObject({ asked: null, rest: asked, order: null })
    // Found out, with nobody there to do so.
    expect(await readCapabilities(fixture.session, 'listPayments')).toMatchObject({ 'order:amount': false })
  })

  it.each([
    [
      [
        { field: 'currency', direction: 'asc' },
        { field: 'amount', direction: 'desc' },
      ],
      'order:currency,amount',
    ],
    // One alone as an earlier version, which may continue the export, stores and reads it.
    [{ field: 'amount', direction: 'desc' }, 'order:amount'],
  ] as const)('is sorted as its list is, where that is proven: %o', (order, capability) => {
    const query = { ...request.query, order }
    const resolve = (proofs: Record<string, boolean>) =>
      resolveQuery({ query, moving: [] }, '2026-11-27', { zone: 'UTC', proofs }).order
    expect(resolve({ [capability]: true })).toEqual(order)
    expect(resolve({})).toBeNull()
  })

  it('ends with the membership of its person, and with their word', async () => {
    const { db } = fixture
    const row = await createSchedule(db, fixture.session, request, before)
    await expect(deleteSchedule(db, { ...fixture.session, userId: crypto.randomUUID() }, row.id)).rejects.toMatchObject(
      {
        code: 'not-found',
      },
    )
    await deleteSchedule(db, fixture.session, row.id)
    expect(await listSchedules(db, fixture.session)).toEqual([])
    await createSchedule(db, fixture.session, request, before)
    const [member] = await db.delete(memberships).where(eq(memberships.userId, fixture.session.userId)).returning()
    await runDueSchedules(db, due)
    expect(await listSchedules(db, fixture.session)).toEqual([])
    expect(await db.select().from(listExports)).toEqual([])
    if (member) await db.insert(memberships).values(member)
  })
})

describe('a scheduled export that breaks off', () => {
  const later = () => Date.now() + 301_000
  const refused = { status: 401, headers: { 'content-type': 'application/json' }, body: '{}' }
  const failing = { ...refused, status: 500 }

  /** Starts a run that is due now, whose next is half a day away. */
  async function run() {
    const { db, session } = fixture
    const hour = (new Date().getHours() + 12) % 24
    await createSchedule(db, session, { ...request, times: { rhythm: 'daily', day: 1, hour } })
    await db.update(exportSchedules).set({ nextAt: new Date(Date.now() - 1_000) })
    await runDueSchedules(db)
  }

  async function waitFor(state: string) {
    const read = async () => (await listOwnExports(fixture.db, fixture.session)).map(viewExport)
    await vi.waitFor(async () => expect(await read()).toMatchObject([{ state }]), { timeout: 20_000 })
  }

  const readProblems = async () =>
    (await listSchedules(fixture.db, fixture.session)).map(viewSchedule).map(({ problem }) => problem)

  it('says why, and is continued after a pause', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await run()
    await waitFor('stopped')
    expect(await readProblems()).toEqual(['upstream-error'])
    fixture.troubles.clear()
    await runDueSchedules(db)
    await waitFor('stopped')
    await Promise.all([runDueSchedules(db, later()), runDueSchedules(db, later())])
    await waitFor('complete')
    expect(await readProblems()).toEqual([null])
    expect(await listOwnExports(db, fixture.session)).toMatchObject([{ rows: 30 }])
  })

  it('is continued though one of a clock that was ahead seems newer', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await run()
    await waitFor('stopped')
    await db.update(exportSchedules).set({ nextAt: new Date(Date.now() - 1_000) })
    fixture.troubles.clear()
    await runDueSchedules(db)
    const isComplete = eq(listExports.state, 'complete')
    const countComplete = () => db.$count(listExports, isComplete)
    await vi.waitFor(async () => expect(await countComplete()).toBe(1), { timeout: 20_000 })
    await runDueSchedules(db, later())
    expect(await db.$count(listExports, eq(listExports.state, 'stopped'))).toBe(1)
    await db
      .update(listExports)
      .set({ createdAt: new Date(Date.now() + 3 * 60 * 60_000) })
      .where(isComplete)
    await runDueSchedules(db, later())
    await vi.waitFor(async () => expect(await countComplete()).toBe(2), { timeout: 20_000 })
  })

  it('goes on after its desk stopped', async () => {
    const { db } = fixture
    fixture.troubles.set(0, refused)
    await run()
    await waitFor('stopped')
    fixture.troubles.clear()
    const gone = { state: 'running', reason: null, holder: crypto.randomUUID(), leaseUntil: new Date(0) } as const
    await db.update(listExports).set(gone)
    await runDueSchedules(db, later())
    await waitFor('complete')
    expect(await listOwnExports(db, fixture.session)).toMatchObject([{ rows: 30, reason: null }])
  })

  it('is continued after pauses that double, which neither fills the log nor counts against its person', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await run()
    await waitFor('stopped')
    const logged = (await readActions()).length
    const counted = await db.$count(attempts)
    const readResumptions = async () =>
      (await listOwnExports(db, fixture.session)).map(({ resumptions }) => resumptions)
    await runDueSchedules(db, later())
    await waitFor('stopped')
    await runDueSchedules(db, later())
    expect(await readResumptions()).toEqual([1])
    await runDueSchedules(db, later() + 300_000)
    await waitFor('stopped')
    expect(await readResumptions()).toEqual([2])
    expect(await readActions()).toHaveLength(logged)
    expect(await db.$count(attempts)).toBe(counted)
    fixture.troubles.clear()
    await runDueSchedules(db, later() + 900_000)
    await waitFor('complete')
    expect(await readActions()).toHaveLength(logged + 1)
  })

  it.each(['by-person', 'list-incomplete', 'author-left', 'upstream-credential', 'bad-request', 'internal'])(
    'is left alone where that would not help: %s',
    async (reason) => {
      const { db } = fixture
      fixture.troubles.set(0, refused)
      await run()
      await waitFor('stopped')
      fixture.troubles.clear()
      await db.update(listExports).set({ reason })
      await runDueSchedules(db, later())
      expect((await listOwnExports(db, fixture.session)).map(viewExport)).toMatchObject([{ state: 'stopped', reason }])
    },
  )

  it.each([
    { reason: 'by-person' },
    // Past its last page, as an earlier version left some.
    { reason: 'outcome-unknown', after: null, parts: 2 },
  ])('is continued beside many that broke off before it and are left alone: $reason', async (left) => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await run()
    await waitFor('stopped')
    fixture.troubles.clear()
    const [row] = await db.select().from(listExports)
    const [schedule] = await db.select().from(exportSchedules)
    if (!row || !schedule) throw new Error('there is no run')
    const others = Array.from({ length: 20 }, () => ({
      ...row,
      id: crypto.randomUUID(),
      scheduleId: crypto.randomUUID(),
      changedAt: new Date(row.changedAt.getTime() - 1_000),
      ...left,
    }))
    await db.insert(exportSchedules).values(others.map(({ scheduleId }) => ({ ...schedule, id: scheduleId })))
    await db.insert(listExports).values(others)
    // Postgres reads what was written last after the others.
    await db.update(listExports).set({ rows: 0 }).where(eq(listExports.id, row.id))
    await runDueSchedules(db, later())
    await vi.waitFor(async () => expect(await db.$count(listExports, eq(listExports.state, 'complete'))).toBe(1), {
      timeout: 20_000,
    })
  })

  it('is left for the next one', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await run()
    await waitFor('stopped')
    fixture.troubles.clear()
    const countEnds = async () => (await readActions()).filter((action) => action === 'export.end').length
    const logged = await countEnds()
    await runDueSchedules(db, Date.now() + 86_400_000)
    const read = async () => (await listOwnExports(db, fixture.session)).map(viewExport)
    await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'complete' }, { state: 'stopped' }]))
    expect(await countEnds()).toBe(logged + 2)
    expect(await readProblems()).toEqual([null])
  })
})

it('has days that move on, which the service filters where that is proven', () => {
  const schedule = { query: request.query, moving: [{ field: 'paymentDate', preset: 'last-month' }] }
  const proofs = { 'ge:paymentDate': true, 'lt:paymentDate': true, and: true }
  const zone = 'Europe/Copenhagen'
  const asked = resolveQuery(schedule, '2026-12-01', { zone, proofs })
  expect(asked.rest).toBeNull()
  expect(JSON.stringify(asked.asked)).toContain('2026-10-31T23:00')
  const rest = resolveQuery(schedule, '2027-01-01', { zone, proofs: {} })
  expect(rest.asked).toBeNull()
  expect(JSON.stringify(rest.rest)).toContain('2026-11-30T23:00')
})
