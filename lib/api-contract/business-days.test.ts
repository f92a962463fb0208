import { expect, it } from 'vitest'
import { addBusinessDays, easterOf, isBusinessDay, subtractBusinessDays } from './business-days'

it.each([
  [1961, '1961-04-02'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2011, '2011-04-24'],
  [2024, '2024-03-31'],
  [2026, '2026-04-05'],
  [2038, '2038-04-25'],
  [2285, '2285-03-22'],
])('Easter Sunday of %i is %s', (year, day) => {
  expect(easterOf(year)).toBe(day)
})

it('business days are in 2026 all weekdays but the holidays of each calendar', () => {
  const days = Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10))
  const weekdays = days.filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
  expect(weekdays.filter((day) => !isBusinessDay(day, 'target2'))).toEqual([
    '2026-01-01',
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-12-25',
  ])
  expect(weekdays.filter((day) => !isBusinessDay(day, 'denmark'))).toEqual([
    '2026-01-01',
    '2026-04-02',
    '2026-04-03',
    '2026-04-06',
    '2026-05-14',
    '2026-05-15',
    '2026-05-25',
    '2026-06-05',
    '2026-12-24',
    '2026-12-25',
    '2026-12-31',
  ])
})

it('Great Prayer Day is a business day since 2024', () => {
  expect(isBusinessDay('2023-05-05', 'denmark')).toBe(false)
  expect(isBusinessDay('2024-04-26', 'denmark')).toBe(true)
})

it.each([
  ['2026-11-24', 1, '2026-11-23'],
  ['2026-11-23', 1, '2026-11-20'],
  ['2026-11-22', 0, '2026-11-20'],
  ['2026-04-07', 1, '2026-04-01'],
  ['2027-01-04', 2, '2026-12-29'],
])('%s less %i is %s in Denmark', (day, count, expected) => {
  expect(subtractBusinessDays(day, count, 'denmark')).toBe(expected)
})

it.each([
  ['2026-11-20', 0, '2026-11-20'],
  ['2026-11-21', 0, '2026-11-23'],
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-12-23', 1, '2026-12-28'],
  ['2026-12-30', 1, '2027-01-04'],
])('%s and %i is %s in Denmark', (day, count, expected) => {
  expect(addBusinessDays(day, count, 'denmark')).toBe(expected)
})
