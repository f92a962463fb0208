import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { listExports } from '../store/export-schema'
import { activity } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { getOwnLeases, viewExport } from './queries'
import { stopExport } from './commands'

const fixture = new ExportFixture(makePayments(0))

it('knows a row that came before a pause when it comes again after it', async () => {
  fixture.payments = makePayments(500)
  const row = await fixture.start()
  fixture.onPage = (at) => (at === 300 ? stopExport(fixture.db, row) : undefined)
  await fixture.work(row)
  fixture.onPage = () => undefined
  fixture.payments = [...makePayments(1).map((one) => ({ ...one, id: randomUUID() })), ...fixture.payments]
  expect(viewExport(await fixture.resume(row))).toMatchObject({
    state: 'stopped',
    reason: 'list-incomplete',
    rows: 501,
  })
})

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
