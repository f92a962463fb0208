import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { listExports } from '../store/export-schema'
import { activity } from '../store/schema'
import { ExportFixture, makePayments } from '../testing/export-fixture'
import { getOwnLeases, viewExport } from './queries'
import { stopExport } from './commands'

const bench = new ExportFixture(makePayments(0))

it('knows a row that came before a pause when it comes again after it', async () => {
  bench.payments = makePayments(500)
  const row = await bench.start()
  bench.onPage = (at) => (at === 300 ? stopExport(bench.db, row) : undefined)
  await bench.work(row)
  bench.onPage = () => undefined
  bench.payments = [...makePayments(1).map((one) => ({ ...one, id: randomUUID() })), ...bench.payments]
  expect(viewExport(await bench.goOn(row))).toMatchObject({
    state: 'stopped',
    reason: 'list-incomplete',
    rows: 501,
  })
})

it('is written by one desk alone when another has taken it for interrupted during a slow page', async () => {
  bench.payments = makePayments(500)
  const whole = await bench.run()
  const row = await bench.start()
  let letGo: (() => void) | undefined
  const slow = new Promise<void>((resolve) => (letGo = resolve))
  let begun: (() => void) | undefined
  const waiting = new Promise<void>((resolve) => (begun = resolve))
  bench.onPage = (at) => {
    if (at !== 300 || !begun) return undefined
    begun()
    begun = undefined
    return slow
  }
  const first = bench.work(row)
  await waiting
  // The other desk knows nothing of this one's work.
  getOwnLeases().clear()
  await bench.db.update(listExports).set({ leaseUntil: null })
  await bench.goOn(row)
  letGo?.()
  await first
  expect(await bench.find(row)).toMatchObject({
    state: 'complete',
    reason: null,
    rows: 500,
    sha256: whole.sha256,
  })
  const ends = await bench.db.select().from(activity).where(eq(activity.objectId, row.id))
  expect(ends.filter(({ action }) => action === 'export.end')).toHaveLength(1)
})
