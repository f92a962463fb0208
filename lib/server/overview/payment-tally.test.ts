import { describe, expect, it } from 'vitest'
import { type Payment, payment } from '@/lib/api-contract/payments'
import { listMonthsBack } from '@/lib/domain/overview'
import { findClosing } from '@/lib/domain/cancellations/closing-filter'
import { parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import { makeConnection } from '../upstream/connection'
import { makeLedgerRules } from '../cancellations/ledger'
import { parseSettings } from '../runtime/settings'
import { PaymentTally } from './payment-tally'

const settings = parseSettings({})
const rules = makeLedgerRules(makeConnection(settings).rules, settings)
const now = new Date('2026-11-20T12:00:00Z')
const closing = findClosing(now.getTime(), rules.cancellable, {
  rules: parseCutOffRules('*=1@16:00') ?? [],
  zone: 'Europe/Copenhagen',
})
let counted = 0

function make(fields: Record<string, unknown>): Payment {
  counted += 1
  return payment.parse({
    id: `payment ${counted}`,
    amount: 100,
    currency: 'DKK',
    test: false,
    status: 'Pending',
    scheduleDate: '2026-11-24T00:00:00Z',
    paymentDate: '2026-12-01T00:00:00Z',
    ...fields,
  })
}

function tally(...payments: Payment[]) {
  return tallyAt(now, ...payments)
}

function tallyAt(time: Date, ...payments: Payment[]) {
  const one = new PaymentTally(rules, 'Europe/Copenhagen', time, closing)
  one.add(payments)
  return one
}

describe('the figures', () => {
  it('never add currencies together, nor test to live', () => {
    const { length } = tally(make({}), make({ currency: 'EUR' }), make({ test: true }), make({ test: null })).figures()
    expect(length).toBe(4)
  })

  it('show what is to come on the day the payer is debited', () => {
    const [dkk] = tally(make({}), make({ status: 'Scheduled', amount: 250 }), make({ status: 'Settled' })).figures()
    expect(dkk?.toCome).toEqual([{ at: '2026-12-01', count: 2, sum: '350', sent: { count: 1, sum: '250' } }])
  })

  it('show a settled payment in the month of its settlement, without regard to case', () => {
    const [dkk] = tally(
      make({ status: 'settled', settlementDate: '2026-10-31T00:00:00Z' }),
      make({ status: 'Settled', settlementDate: '2026-10-01T00:00:00Z', amount: 5 }),
      make({ status: 'Settled', settlementDate: '2020-01-01T00:00:00Z' }),
    ).figures()
    expect(dkk?.settled).toEqual([{ at: '2026-10', count: 2, sum: '105' }])
  })

  it.each(['2026-12-01', '2026-12-31', '2027-03-03'])('are of the last twelve months on %s', (today) => {
    const days = ['2025-11-30', '2025-12-01', '2026-01-31', '2026-03-31', '2026-04-01']
    const settled = days.map((day) => make({ status: 'Settled', settlementDate: `${day}T00:00:00Z` }))
    const shown = tallyAt(new Date(`${today}T12:00:00Z`), ...settled).figures()[0]?.settled
    const counted = days.map((day) => day.slice(0, 7)).filter((month) => listMonthsBack(today).includes(month))
    expect(listMonthsBack(today)).toHaveLength(12)
    expect(listMonthsBack(today).at(-1)).toBe(today.slice(0, 7))
    expect(shown?.map(({ at }) => at)).toEqual([...new Set(counted)])
  })

  it.each([
    ['rejected', { status: 'Rejected' }],
    ['chargebacks', { status: 'Chargeback' }],
    ['closing', { scheduleDate: '2026-11-23T00:00:00Z' }],
    ['overdue', { paymentDate: '2026-11-19T00:00:00Z' }],
    ['later', { paymentDate: '2027-06-01T00:00:00Z' }],
    ['later', { paymentDate: null, scheduleDate: null }],
    ['later', { paymentDate: '9999-12-31T23:59:59.9999999Z', scheduleDate: null }],
  ] as const)('count %s for %j', (name, fields) => {
    expect(tally(make(fields)).figures()[0]?.[name]).toEqual({ count: 1, sum: '100' })
  })

  it.each([
    [{ modifiedAt: '2026-10-21T22:00:00Z', paymentDate: '2026-08-01T00:00:00Z' }, 1, 'modified'],
    [{ modifiedAt: '2026-10-21T21:59:59Z' }, 0, 'modified'],
    // A chargeback comes weeks after that day.
    [{ paymentDate: '2026-08-01T00:00:00Z' }, 1, 'nothing'],
    [{ paymentDate: null }, 1, 'nothing'],
  ])('tell what failed in the last 30 days from what failed before: %j', (dates, count, failedBy) => {
    const failed = [make({ status: 'Rejected', ...dates }), make({ status: 'chargeback', ...dates })]
    const [dkk] = tally(...failed).figures()
    expect([dkk?.rejected.count, dkk?.chargebacks.count]).toEqual([1, 1])
    expect([dkk?.lately.rejected.count, dkk?.lately.chargebacks.count]).toEqual([count, count])
    expect(dkk?.filters.failedBy).toBe(failedBy)
  })

  it('say which states and dates they were counted by', () => {
    const byPayment = tally(make({}), make({ status: 'scheduled' }), make({ status: 'Settled' }))
    expect(byPayment.figures()[0]?.filters).toEqual({
      states: { open: ['Pending', 'scheduled'], settled: ['Settled'], rejected: [], chargebacks: [] },
      debitedBy: 'payment',
      settledBy: 'payment',
      failedBy: 'modified',
      hasUndated: false,
    })
    const someDated = tally(
      make({ status: 'Rejected' }),
      make({ status: 'Rejected', modifiedAt: '2026-08-01T00:00:00Z' }),
    )
    expect(someDated.figures()[0]?.filters.failedBy).toBeNull()
    const mixed = tally(make({}), make({ paymentDate: null }), make({ paymentDate: null, scheduleDate: null }))
    expect(mixed.figures()[0]?.filters).toMatchObject({ debitedBy: null, hasUndated: true })
  })

  it('leave out what was cancelled, and count a payment once', () => {
    const twice = make({})
    const one = tally(make({ status: 'CANCELLED' }), twice, twice)
    expect(one.counted).toBe(2)
    expect(one.figures()[0]?.toCome).toMatchObject([{ at: '2026-12-01', count: 1, sum: '100' }])
  })

  it('say that the list moved where a payment came again on a later page, not twice on one', () => {
    const twice = make({})
    const one = tally(twice, twice)
    expect(one.hasMoved).toBe(false)
    one.add([twice])
    expect(one.hasMoved).toBe(true)
    expect(one.counted).toBe(1)
  })

  it('sum exactly past what a double holds, and say which amounts could not be read', () => {
    const big = '9007199254740993'
    const [dkk] = tally(
      make({ amount: big }),
      make({ amount: '0.1' }),
      make({ amount: 0.2 }),
      make({ amount: 'x' }),
    ).figures()
    expect(dkk?.toCome[0]).toMatchObject({ at: '2026-12-01', count: 4, sum: `${big}.3` })
    expect(dkk?.unreadAmounts).toBe(1)
  })
})
