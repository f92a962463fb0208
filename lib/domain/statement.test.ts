import { expect, it } from 'vitest'
import { payment } from '@/lib/api-contract/payments'
import { isPeriod, listStatementLines, parsePeriod, sumStatement } from './statement'

const make = (fields: Record<string, unknown>) =>
  payment.parse({ id: 'p', amount: 100, currency: 'DKK', status: 'Settled', test: false, ...fields })
const year = { from: '2026-01-01', to: '2026-12-31' }

it.each([
  ['2026-02-01', '2026-02-28', { from: '2026-02-01', to: '2026-02-28' }],
  [undefined, undefined, year],
  ['', '', year],
  ['2026-03-01', undefined, { from: '2026-03-01', to: '2026-12-31' }],
  [undefined, '2026-03-01', { from: '2026-01-01', to: '2026-03-01' }],
])('reads the period %s to %s', (from, to, period) => {
  expect(parsePeriod(from, to, '2026-11-27')).toEqual(period)
  expect(isPeriod(period)).toBe(true)
})

it.each([
  ['2026-02-31', '2026-03-01'],
  ['2026-03-02', '2026-03-01'],
  ['2026-11-01', '22026-03-10'],
  ["'; drop", '2026-03-01'],
  ['2027-01-01', undefined],
])('%s to %s is no period, and not taken for another', (from, to) => {
  expect(isPeriod(parsePeriod(from, to, '2026-11-27'))).toBe(false)
})

it('lists the live payments of a period by the day on which the payer is debited', () => {
  const lines = listStatementLines(
    [
      make({ id: 'late', paymentDate: '2026-12-31T00:00:00Z', settlementDate: '2027-01-02T00:00:00Z' }),
      make({ id: 'early', paymentDate: null, scheduleDate: '2025-12-31T23:00:00Z' }),
      make({ id: 'test', test: true, paymentDate: '2026-05-01T00:00:00Z' }),
      make({ id: 'other year', paymentDate: '2027-01-01T00:00:00Z' }),
      make({ id: 'without a day' }),
    ],
    year,
    'Europe/Copenhagen',
  )
  expect(lines.map(({ day, settledOn, payment: { id } }) => [id, day, settledOn])).toEqual([
    ['early', '2026-01-01', null],
    ['late', '2026-12-31', '2027-01-02'],
  ])
})

it('sums by state and currency, exactly and never across currencies, and says which amounts are missing', () => {
  const lines = ['0.1', '0.2', 'x'].map((amount) => ({ day: '2026-01-01', settledOn: null, payment: make({ amount }) }))
  const euro = { day: '2026-01-01', settledOn: null, payment: make({ currency: 'EUR', status: 'Rejected' }) }
  expect(sumStatement([...lines, euro])).toEqual([
    { currency: 'DKK', status: 'Settled', count: 3, sum: '0.3', unreadAmounts: 1 },
    { currency: 'EUR', status: 'Rejected', count: 1, sum: '100', unreadAmounts: 0 },
  ])
})
