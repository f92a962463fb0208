import { describe, expect, it } from 'vitest'
import { addDays } from '@/lib/api-contract/business-days'
import type { Filter } from '@/lib/api-contract/filter'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { findClosing, makeClosingFilter } from './closing-filter'
import { titleClosing } from './closing-title'
import { estimateCutOff, parseCutOffRules } from './cut-off'

const rules = parseCutOffRules('*=1@16:00') ?? []

function isClosing(
  today: string,
  scheduleDate: string,
  scheme = 'nets-bs',
  status = 'Pending',
  zone = 'Europe/Copenhagen',
) {
  const filter = makeClosingFilter(today, ['pending'], { rules, zone })
  return filter !== null && matchesFilter(filter, { scheduleDate, status, mandate: { scheme } })
}

it.each([
  ['tomorrow', '2026-11-23', '2026-11-24T00:00:00Z', 'nets-bs', true],
  ['today', '2026-11-23', '2026-11-23T00:00:00Z', 'nets-bs', false],
  ['the day after', '2026-11-23', '2026-11-25T00:00:00Z', 'nets-bs', false],
  ['tomorrow as Denmark writes it', '2026-11-23', '2026-11-23T23:00:00Z', 'nets-bs', true],
  ['the day after as Denmark writes it', '2026-11-23', '2026-11-24T23:00:00Z', 'nets-bs', false],
  ['Monday, on a Friday', '2026-11-20', '2026-11-23T00:00:00Z', 'sepa-core', true],
  ['after a Danish holiday, of SEPA', '2026-06-04', '2026-06-05T00:00:00Z', 'sepa-core', true],
  ['after a Danish holiday, of a Danish scheme', '2026-06-04', '2026-06-08T00:00:00Z', 'nets-bs', true],
  ['over it, of SEPA', '2026-06-04', '2026-06-08T00:00:00Z', 'sepa-core', false],
  ['of a scheme that nobody knows', '2026-11-23', '2026-11-24T00:00:00Z', 'other', true],
])('%s: %s, scheduled %s, %s: %s', (_, today, scheduleDate, scheme, expected) => {
  expect(isClosing(today, scheduleDate, scheme)).toBe(expected)
})

describe('where schemes differ, payments of a scheme without a rule', () => {
  const isClosingOf = (text: string, today: string, scheduleDate: string, scheme: string | null) => {
    const filter = makeClosingFilter(today, ['pending'], {
      rules: parseCutOffRules(text) ?? [],
      zone: 'Europe/Copenhagen',
    })
    return filter !== null && matchesFilter(filter, { scheduleDate, status: 'Pending', mandate: { scheme } })
  }

  it.each([
    [
      '*=1@16:00,nets-bs=8@16:00',
      '2026-11-23',
      '2026-11-24',
      { 'nets-bs': false, 'nets-ls': true, other: true, null: true },
    ],
    [
      '*=1@16:00,nets-bs=8@16:00',
      '2026-11-23',
      '2026-12-03',
      { 'nets-bs': true, 'nets-ls': false, other: false, null: false },
    ],
    // Denmark's banks rest from the next day on, TARGET2's don't.
    ['*=1@16:00', '2026-04-01', '2026-04-07', { 'nets-bs': true, 'sepa-core': false, other: true, null: true }],
    ['*=1@16:00', '2026-04-01', '2026-04-02', { 'nets-bs': false, 'sepa-core': true, other: false, null: false }],
    ['nets-bs=1@16:00', '2026-11-23', '2026-11-24', { 'nets-bs': true, 'nets-ls': false, other: false, null: false }],
    [
      '*=2@16:00,nets-bs=1@16:00,mastercard-bs=1@16:00,nets-ls=1@16:00,sepa-core=1@16:00,sepa-b2b=1@16:00',
      '2026-11-23',
      '2026-11-24',
      { 'nets-bs': true, 'sepa-b2b': true, other: false, null: false },
    ],
    [
      '*=2@16:00,nets-bs=1@16:00,mastercard-bs=1@16:00,nets-ls=1@16:00,sepa-core=1@16:00,sepa-b2b=1@16:00',
      '2026-11-23',
      '2026-11-25',
      { 'nets-bs': false, 'sepa-b2b': false, other: true, null: true },
    ],
  ])('by %s, on %s for %s: %j', (text, today, date, expected) => {
    const closing = Object.keys(expected).map((scheme) => [
      scheme,
      isClosingOf(text, today, `${date}T00:00:00Z`, scheme === 'null' ? null : scheme),
    ])
    expect(Object.fromEntries(closing)).toEqual(expected)
  })
})

it.each([
  ['*=1@16:00', 'sepa-cor1'],
  ['*=1@16:00,sepa-cor1=1@16:00', 'sepa-cor1'],
  ['*=1@16:00/target2', 'sepa-cor1'],
  ['*=1@16:00', 'sepa-core'],
  ['*=1@16:00,bgc=2@16:00', 'bgc'],
])('by %s holds a payment of %s on the day of its own estimate', (text, scheme) => {
  const config = { rules: parseCutOffRules(text) ?? [], zone: 'Europe/Copenhagen' }
  const payment = { scheduleDate: '2026-04-07T00:00:00Z', status: 'Pending', mandate: { scheme } }
  const days = Array.from({ length: 10 }, (_, index) => addDays('2026-03-29', index))
  const held = days.filter((day) => {
    const filter = makeClosingFilter(day, ['pending'], config)
    return filter !== null && matchesFilter(filter, payment)
  })
  expect(held).toEqual([estimateCutOff({ scheduleDate: payment.scheduleDate, scheme }, config)?.day])
})

describe('with a rule for each of seven schemes, around Easter', () => {
  const text =
    'nets-bs=5@16:00,nets-ls=1@12:00,sepa-core=2@11:00,sepa-b2b=1@11:00,autogiro=2@10:00,bacs=3@10:00,*=1@16:00'
  const config = { rules: parseCutOffRules(text) ?? [], zone: 'Europe/Copenhagen' }
  const days = Array.from({ length: 14 }, (_, index) => addDays('2027-03-18', index))
  const countConditions = (filter: Filter): number =>
    'filters' in filter ? filter.filters.reduce((sum, part) => sum + countConditions(part), 0) : 1

  it.each(days)(
    '%s holds what is estimated to close then, in fewer conditions than the embedded service takes',
    (day) => {
      const filter = makeClosingFilter(day, ['pending'], config)
      const dates = Array.from({ length: 30 }, (_, index) => addDays(day, index))
      for (const scheme of [...config.rules.map((rule) => rule.scheme), 'mastercard-bs', null])
        for (const date of dates) {
          const payment = { scheduleDate: `${date}T00:00:00Z`, status: 'Pending', mandate: { scheme } }
          const closes = estimateCutOff({ scheduleDate: date, scheme }, config)?.day === day
          expect([scheme, date, filter !== null && matchesFilter(filter, payment)]).toEqual([scheme, date, closes])
        }
      expect(filter === null ? 0 : countConditions(filter)).toBeLessThan(30)
    },
  )
})

it('holds only what can be cancelled, and nothing on a day without banking', () => {
  expect(isClosing('2026-11-23', '2026-11-24T00:00:00Z', 'nets-bs', 'Settled')).toBe(false)
  expect(makeClosingFilter('2026-11-22', ['pending'], { rules, zone: 'Europe/Copenhagen' })).toBeNull()
})

it('reads midnight UTC as the day it is written as, west of Greenwich too', () => {
  expect(isClosing('2026-11-23', '2026-11-24T00:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(true)
  expect(isClosing('2026-11-23', '2026-11-24T05:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(true)
  expect(isClosing('2026-11-23', '2026-11-25T00:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(false)
})

describe('what closes next', () => {
  const config = { rules: parseCutOffRules('*=1@16:00,nets-ls=1@10:00') ?? [], zone: 'Europe/Copenhagen' }
  const dayAt = (at: string, cancellable = ['pending']) => findClosing(Date.parse(at), cancellable, config)

  it.each([
    ['before the first cut-off', '2026-11-23T08:00:00Z', '2026-11-23', true],
    ['between the cut-offs of two schemes', '2026-11-23T12:00:00Z', '2026-11-23', true],
    ['after the last one', '2026-11-23T15:00:00Z', '2026-11-24', false],
    ['after the last one of a Friday', '2026-11-20T15:00:00Z', '2026-11-23', false],
    ['on a Sunday', '2026-11-22T08:00:00Z', '2026-11-23', false],
    ['late at night, when it is the next day in the zone', '2026-11-22T23:30:00Z', '2026-11-23', true],
  ])('%s', (_, at, day, isToday) => {
    expect(dayAt(at)).toMatchObject({ day, isToday })
  })

  it('is nothing where nothing can be cancelled, or no cut-off is configured', () => {
    expect(dayAt('2026-11-23T08:00:00Z', [])).toBeNull()
    expect(findClosing(Date.parse('2026-11-23T08:00:00Z'), ['pending'], { ...config, rules: [] })).toBeNull()
  })
})

it.each([
  ['today', '2026-11-27T10:00:00Z', '*=1@16:00', 'Closing today (estimate)'],
  ['past today’s cut-off', '2026-11-27T16:00:00Z', '*=1@16:00', 'Closing Monday 30 Nov 2026 (estimate)'],
  ['on a Saturday', '2026-11-28T10:00:00Z', '*=1@16:00', 'Closing Monday 30 Nov 2026 (estimate)'],
  ['without a rule', '2026-11-28T10:00:00Z', '', 'Next cut-off (estimate)'],
])('is titled by its day %s', (_, now, text, title) => {
  const config = { rules: parseCutOffRules(text) ?? [], zone: 'Europe/Copenhagen' }
  expect(titleClosing(findClosing(Date.parse(now), ['pending'], config), 'en-GB')).toBe(title)
})
