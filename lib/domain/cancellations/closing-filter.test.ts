import { expect, it } from 'vitest'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { makeClosingFilter } from './closing-filter'
import { parseCutOffRules } from './cut-off'

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

it('holds only what can be cancelled, and nothing on a day without banking', () => {
  expect(isClosing('2026-11-23', '2026-11-24T00:00:00Z', 'nets-bs', 'Settled')).toBe(false)
  expect(makeClosingFilter('2026-11-22', ['pending'], { rules, zone: 'Europe/Copenhagen' })).toBeNull()
})

it('reads midnight UTC as the day it is written as, west of Greenwich too', () => {
  expect(isClosing('2026-11-23', '2026-11-24T00:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(true)
  expect(isClosing('2026-11-23', '2026-11-24T05:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(true)
  expect(isClosing('2026-11-23', '2026-11-25T00:00:00Z', 'nets-bs', 'Pending', 'America/New_York')).toBe(false)
})
