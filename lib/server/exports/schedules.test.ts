import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ExportScheduleRequest } from '@/lib/domain/lists/export-schedule'
import { exportSchedules, listExports } from '../store/export-schema'
import { activity, memberships } from '../store/schema'
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

  it('waits a little where it cannot start', async () => {
    const { db } = fixture
    await createSchedule(
      db,
      fixture.session,
      { ...request, query: { ...request.query, columns: ['nonsense'] } },
      before,
    )
    await runDueSchedules(db, due)
    expect((await listSchedules(db, fixture.session)).map(viewSchedule)).toMatchObject([
      { problem: 'bad-request', nextAt: new Date(due + 300_000).toISOString() },
    ])
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
    const nextAt = new Date(due + 300_000).toISOString()
    expect(
      (await listSchedules(db, fixture.session))
        .map(viewSchedule)
        .toSorted((one) => (one.problem === 'internal' ? -1 : 1)),
    ).toMatchObject([
      { problem: 'internal', nextAt },
      { problem: 'bad-request', nextAt },
    ])
    await runDueSchedules(db, due + 300_000)
    expect(await listOwnExports(db, fixture.session)).toHaveLength(1)
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
