import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { memberships } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
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
