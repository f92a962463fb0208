import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { notices } from '../store/mail-schema'
import { activity, memberships } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { stopExport } from './commands'
import { listOwnExports, viewExport } from './queries'
import { runDueSchedules } from './schedules'

const fixture = new ExportFixture(makePayments(30))

afterEach(() => fixture.db.delete(listExports))

describe('an export of a person that breaks off', () => {
  const failing = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Oops</h1>' }
  const read = async () => (await listOwnExports(fixture.db, fixture.session)).map(viewExport)
  const soon = () => Date.now() + 31_000

  it('is continued soon, also after its desk was killed', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await fixture.run()
    fixture.troubles.clear()
    await runDueSchedules(db)
    expect(await read()).toMatchObject([{ state: 'stopped', reason: 'upstream-error' }])
    const gone = { state: 'running', reason: null, holder: crypto.randomUUID(), leaseUntil: new Date(0) } as const
    await db.update(listExports).set(gone)
    expect(await read()).toMatchObject([{ state: 'stopped', reason: 'interrupted' }])
    await Promise.all([runDueSchedules(db, soon()), runDueSchedules(db, soon())])
    await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'complete', rows: 30 }]))
  })

  it('is given up after some times, and where a person stopped it', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await fixture.run()
    fixture.troubles.clear()
    for (const left of [{ resumptions: 8 }, { resumptions: 0, reason: 'by-person' }]) {
      await db.update(listExports).set(left)
      await runDueSchedules(db, Date.now() + 10 * 60 * 60_000)
      expect(await read()).toMatchObject([{ state: 'stopped' }])
    }
  })

  it('is left where its person may not work for the merchant any more, and where it needs their own token', async () => {
    const { db } = fixture
    fixture.troubles.set(0, failing)
    await fixture.run()
    fixture.troubles.clear()
    const [member] = await db.delete(memberships).where(eq(memberships.userId, fixture.session.userId)).returning()
    await runDueSchedules(db, soon())
    expect(await read()).toMatchObject([{ state: 'stopped', reason: 'author-left' }])
    if (member) await db.insert(memberships).values(member)
    await db.update(listExports).set({ reason: 'upstream-error', changedAt: new Date() })
    const settings = getSettings()
    globalThis.debitdeskSettings = { ...settings, UPSTREAM_AUTH: 'session' }
    await runDueSchedules(db, soon())
    globalThis.debitdeskSettings = settings
    expect(await read()).toMatchObject([{ state: 'stopped', reason: 'upstream-error' }])
  })
})

describe('an export that goes on or is given up', () => {
  const failing = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Oops</h1>' }
  const gone = { state: 'running', reason: null, holder: crypto.randomUUID(), leaseUntil: new Date(0) } as const
  const find = async () => (await listOwnExports(fixture.db, fixture.session))[0]
  const readEnds = async () =>
    (await fixture.db.select().from(activity).where(eq(activity.action, 'export.end'))).map(({ objectId }) => objectId)
  const countMails = () => fixture.db.$count(notices, eq(notices.kind, 'export-stopped'))

  beforeEach(async () => {
    globalThis.debitdeskSettings = {
      ...getSettings(),
      SMTP_URL: { host: 'mail.test', port: 25, secure: false, auth: null },
    }
    await fixture.db.delete(notices)
    fixture.troubles.set(0, failing)
    await fixture.run()
  })

  it('says so by mail and in the log, also after an interruption', async () => {
    const { db } = fixture
    expect([(await readEnds()).at(-1), await countMails()]).toEqual([(await find())?.id, 0])
    // Its desk was killed the eighth time.
    await db.update(listExports).set({ ...gone, resumptions: 8 })
    const before = (await readEnds()).length
    await runDueSchedules(db)
    expect(await find()).toMatchObject({ state: 'stopped', reason: 'interrupted', leaseUntil: null })
    expect([(await readEnds()).length, await countMails()]).toEqual([before + 1, 1])
    await runDueSchedules(db)
    expect([(await readEnds()).length, await countMails()]).toEqual([before + 1, 1])
  })

  it('is one that stops the eighth time', async () => {
    await fixture.db.update(listExports).set({ resumptions: 7 })
    const before = (await readEnds()).length
    await runDueSchedules(fixture.db, Date.now() + 2 * 60 * 60_000)
    await vi.waitFor(async () => expect(await find()).toMatchObject({ state: 'stopped', resumptions: 8 }))
    expect([(await readEnds()).length, await countMails()]).toEqual([before + 1, 1])
  })

  it.each([
    ['is hours old', { changedAt: new Date(Date.now() - 4 * 60 * 60_000) }],
    ['was of a schedule that is deleted', { scheduleId: crypto.randomUUID() }],
  ])('is one that %s', async (_, old) => {
    await fixture.db.update(listExports).set(old)
    fixture.troubles.clear()
    await runDueSchedules(fixture.db, Date.now() + 31_000)
    const row = await find()
    expect(row && viewExport(row)).toMatchObject({ state: 'stopped', goesOn: false, mayResume: true })
  })

  it('is asked for less often where the service asked to slow down', async () => {
    await fixture.db.update(listExports).set({ reason: 'upstream-slow-down' })
    await runDueSchedules(fixture.db, Date.now() + 4 * 60_000)
    expect(await find()).toMatchObject({ state: 'stopped', resumptions: 0 })
    await fixture.db.update(listExports).set({ resumptions: 7 })
    await runDueSchedules(fixture.db, Date.now() + 61 * 60_000)
    await vi.waitFor(async () => expect(await find()).toMatchObject({ state: 'stopped', resumptions: 8 }))
  })

  it('is one that its person has made anew', async () => {
    const first = await find()
    fixture.troubles.clear()
    await fixture.run()
    await runDueSchedules(fixture.db, Date.now() + 31_000)
    expect(first && (await fixture.find(first))).toMatchObject({ state: 'stopped' })
  })

  it('is one that its person stops while it waits', async () => {
    const row = await find()
    if (!row) throw new Error('there is no export')
    expect(viewExport(row)).toMatchObject({ goesOn: true })
    const stopped = await stopExport(fixture.db, fixture.session, row)
    expect(viewExport(stopped)).toMatchObject({ reason: 'by-person', goesOn: false, mayResume: true })
    await runDueSchedules(fixture.db, Date.now() + 31_000)
    expect(await find()).toMatchObject({ state: 'stopped', reason: 'by-person' })
    expect(await countMails()).toBe(0)
  })
})

it('counts from its last progress how often it was continued', async () => {
  const { db } = fixture
  fixture.payments = makePayments(250)
  fixture.troubles.set(200, { status: 500, body: '{}' })
  const row = await fixture.start()
  await db.update(listExports).set({ resumptions: 5 })
  expect(await fixture.work(row)).toMatchObject({ state: 'stopped', rows: 200, resumptions: 0 })
})
