import { expect, it } from 'vitest'
import { ExportFixture, makePayments, type PaymentSource } from '../testing/export-fixture'
import { viewExport } from './queries'

/** Each page has another cursor, so that the list never leads in a circle. */
const fixture = new ExportFixture<{ length: number; slice: (from?: number) => readonly PaymentSource[] }>(
  makePayments(0),
)

it.each([
  [
    'the same rows',
    (from: number) => makePayments(100).map((one) => ({ ...one, description: String(from) })),
    100 * 21,
  ],
  ['no rows', (from: number) => (from === 0 ? makePayments(100) : []), 100],
  [
    'the same rows, one without an id',
    () => makePayments(3).map((one, at) => (at === 0 ? { ...one, id: null } : one)),
    63,
  ],
])('a list that goes on with %s ends after twenty such pages, and is not whole', async (_, page, rows) => {
  fixture.payments = { length: 1_000_000, slice: (from = 0) => page(from) }
  const row = await fixture.run()
  expect(viewExport(row)).toMatchObject({ state: 'stopped', reason: 'list-incomplete', rows, mayResume: false })
})

it('goes on where a new row comes before that, and where rows have no ids by which to know them', async () => {
  const all = makePayments(3)
  const page = (from: number) => (from % 1_500 === 0 ? all.slice(from / 1_500, from / 1_500 + 1) : [])
  fixture.payments = { length: 3_100, slice: (from = 0) => page(from) }
  expect(viewExport(await fixture.run())).toMatchObject({ state: 'complete', rows: 3 })
  const [one] = all
  fixture.payments = { length: 3_000, slice: (from = 0) => [{ ...one, id: null, reference: String(from % 1_500) }] }
  expect(viewExport(await fixture.run())).toMatchObject({ state: 'complete', rows: 30 })
})
