import { count, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BulkMode, BulkSum } from '@/lib/domain/cancellations/bulk-cancellation'
import { type AmountUnit, currencyExponents } from '@/lib/domain/amounts/money'
import { parseCsv } from '@/lib/domain/csv'
import { sumPayments } from '@/lib/domain/cancellations/bulk-list'
import { BulkFixture, listOf } from '../testing/bulk-fixture'
import { bulkRows, bulks } from '../store/bulk-schema'
import { findBulk } from './queries'
import { writeBulkResult } from './result-rows'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture.close())

async function readFile(id: string, unit: AmountUnit = 'minor'): Promise<Record<string, string>[]> {
  let text = ''
  for await (const part of writeBulkResult(
    fixture.store.db,
    await findBulk(fixture.store.db, fixture.ledger, id),
    unit,
  ))
    text += part
  expect(text.lastIndexOf('\uFEFF')).toBe(0)
  expect(text.endsWith('\r\n')).toBe(true)
  const [head, ...rows] = parseCsv(text).rows
  return rows.map(({ cells }) =>
    Object.fromEntries((head?.cells ?? []).map((name, index) => [name, cells[index] ?? ''])),
  )
}

test('names each row, its money exactly, its outcome and its cancellation, and what was no part of it', async () => {
  const payments = [
    fixture.service.add({ amount: 124_500, reference: '=HYPERLINK("x")', test: false }),
    fixture.service.add({ amount: 7, currency: 'KWD', test: true }),
    fixture.service.add({ status: 'Settled' }),
  ]
  const bulk = await fixture.start(payments)
  const [first] = await fixture.rowsOf(bulk)
  const rows = await readFile(bulk.id)
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({
    Row: '1',
    'Payment id': payments[0]?.id,
    Reference: `'=HYPERLINK("x")`,
    Mode: 'live',
    'Minor units': '124500',
    Exponent: '2',
    Decimal: '1245.00',
    Outcome: 'Not sent yet',
    'Reason given': 'Ordered twice',
  })
  expect(rows[1]).toMatchObject({ Mode: 'test', 'Minor units': '7', Exponent: '3', Decimal: '0.007' })
  expect(rows[2]).toMatchObject({
    'Part of the bulk': 'no',
    Outcome: 'Not part of it',
    Why: 'Too late',
    'Cancellation id': '',
  })
  expect(rows.map((row) => row['Cancellation id'])).toContain(first?.id)
})

test.each([
  [null, /stopped before this request got through/u],
  ['restored', /may have been sent since/u],
])('rows of a start that was stopped, problem %s, were not cancelled, and are counted', async (problem, why) => {
  const { db } = fixture.store
  const bulk = await fixture.list(listOf([fixture.service.add(), fixture.service.add({ status: 'Settled' })]))
  const ended = { state: 'stopped', problem, startedAt: new Date(), endedAt: new Date() } as const
  await db.update(bulks).set(ended).where(eq(bulks.id, bulk.id))
  const view = await fixture.view(bulk)
  expect([view.count, view.counts.unsent, view.counts['not-cancelled'], view.settled]).toEqual([1, 0, 1, 1])
  const [unsent, leftOut] = await readFile(bulk.id)
  expect(unsent).toMatchObject({ 'Part of the bulk': 'yes', Outcome: 'Not cancelled', 'Cancellation id': '' })
  expect(unsent?.Why).toMatch(why)
  expect(leftOut).toMatchObject({ 'Part of the bulk': 'no', Outcome: 'Not part of it', Why: 'Too late' })
})

test('gives back what the service has, for any amount, currency and words (DC-11)', async () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 40 })
  const currency = fc.constantFrom(...currencyExponents.keys())
  const payment = fc.record({ amount: fc.maxSafeNat(), currency, reference: word, test: fc.boolean() })
  const generated = fc.sample(payment, { numRuns: 10_000, seed: 11 })
  const payments = generated.map((one) => fixture.service.add(one))
  const bulk = await fixture.list(listOf(payments))
  const rows = await readFile(bulk.id)
  const back = rows.map((row) => [row['Payment id'], row['Minor units'], row.Currency, row.Mode])
  expect(back).toEqual(
    payments.map(({ id, amount, currency: code, test: isTest }) => [
      id,
      String(amount),
      code,
      isTest ? 'test' : 'live',
    ]),
  )
  // Independently summed by the database (DC-04).
  const mode = sql<BulkMode>`case ${bulkRows.facts}->>'test' when 'true' then 'test' else 'live' end`
  const currencyOf = sql<string>`${bulkRows.seen}->>'currency'`
  const summed = await fixture.store.db
    .select({
      mode,
      currency: currencyOf,
      count: count(),
      sum: sql<string>`sum((${bulkRows.seen}->>'amount')::numeric)::text`,
    })
    .from(bulkRows)
    .where(eq(bulkRows.bulkId, bulk.id))
    .groupBy(sql`1`, sql`2`)
  const write = ({ mode, currency, count, sum }: BulkSum) => [mode, currency, count, sum].join(' ')
  expect(new Set(bulk.sums.map(write))).toEqual(new Set(summed.map(write)))
})

test('writes an amount below zero as a number, and one of an unknown currency as it was sent (XS-03)', async () => {
  const payments = [
    fixture.service.add({ amount: -5, currency: 'EUR' }),
    fixture.service.add({ amount: 700, currency: 'XYZ' }),
  ]
  const bulk = await fixture.list(listOf(payments))
  const rows = await readFile(bulk.id)
  expect(rows[0]).toMatchObject({ 'Minor units': '-5', Decimal: '-0.05', 'Amount as sent': '-5' })
  expect(rows[1]).toMatchObject({ 'Minor units': '', Decimal: '', 'Amount as sent': '700', Currency: 'XYZ' })
})

test.each([
  [1_245, 'JPY', 'minor', ['1245', '0', '1245']],
  [1_200, 'JPY', 'hundredths', ['12', '0', '12']],
  [1_245, 'JPY', 'hundredths', ['', '', '']],
  [12.34, 'DKK', 'major', ['1234', '2', '12.34']],
  [12.345, 'DKK', 'major', ['', '', '']],
  [12_345_678_901_234.56, 'DKK', 'major', ['', '', '']],
  [5, 'XAU', 'major', ['', '', '']],
] as const)(
  'writes %s %s in %s whole, in exact minor units, or not at all, as exports do',
  async (amount, currency, unit, cells) => {
    const bulk = await fixture.list(listOf([fixture.service.add({ amount, currency })]))
    const [row] = await readFile(bulk.id, unit)
    expect([row?.['Minor units'], row?.Exponent, row?.Decimal]).toEqual(cells)
    expect(row?.['Amount as sent']).toBe(String(amount))
  },
)

test('adds up as the database does, whatever is in it (DC-04)', () => {
  const summand = fc.record({
    amount: fc.oneof(fc.maxSafeInteger(), fc.maxSafeNat()),
    currency: fc.constantFrom('DKK', 'EUR', 'SEK', null),
    test: fc.constantFrom(true, false, null),
  })
  fc.assert(
    fc.property(fc.array(summand, { maxLength: 200 }), (summands) => {
      const total = sumPayments(summands).reduce((sum, one) => sum + BigInt(one.sum ?? 0), 0n)
      expect(total).toBe(summands.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
      expect(sumPayments(summands).reduce((sum, { count }) => sum + count, 0)).toBe(summands.length)
    }),
  )
})
