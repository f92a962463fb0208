import { expect, test } from 'vitest'
import { addBusinessDays, isBusinessDay } from './business-days'

const date = (text: string) => new Date(`${text}T00:00:00Z`)

test.each([
  ['2026-04-02', true, false],
  ['2026-04-03', false, false],
  ['2026-04-06', false, false],
  ['2026-05-01', false, true],
  ['2026-05-14', true, false],
  ['2026-05-15', true, false],
  ['2026-05-25', true, false],
  ['2026-06-05', true, false],
  ['2026-12-24', true, false],
  ['2026-12-25', false, false],
  ['2027-01-01', false, false],
  ['2026-11-21', false, false],
  ['2026-11-20', true, true],
  ['2024-04-26', true, true],
])('%s is a business day of TARGET2: %s, of Denmark: %s', (day, target2, denmark) => {
  expect([isBusinessDay(date(day), 'target2'), isBusinessDay(date(day), 'denmark')]).toEqual([target2, denmark])
})

test.each([
  ['2026-11-20', 0, '2026-11-20'],
  ['2026-11-21', 0, '2026-11-23'],
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-12-23', 1, '2026-12-28'],
  ['2026-12-30', 1, '2027-01-04'],
  ['2026-11-23', -1, '2026-11-20'],
  ['2026-04-07', -1, '2026-04-01'],
])('in Denmark %s and %i business days make %s', (from, count, to) => {
  expect(addBusinessDays(date(from), count, 'denmark')).toEqual(date(to))
})
