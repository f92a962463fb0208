import { expect, it } from 'vitest'
import { dayPresets, findDayPreset } from './day-presets'
import { type ExportTimes, findLastRun, findNextRun } from './export-schedule'

const zone = 'Europe/Copenhagen'

it.each<[string, ExportTimes, string, string]>([
  ['later today', { rhythm: 'daily', day: 1, hour: 7 }, '2026-11-27T05:59:59Z', '2026-11-27T06:00:00Z'],
  ['not the same moment again', { rhythm: 'daily', day: 1, hour: 7 }, '2026-11-27T06:00:00Z', '2026-11-28T06:00:00Z'],
  ['on Monday', { rhythm: 'weekly', day: 1, hour: 7 }, '2026-11-27T12:00:00Z', '2026-11-30T06:00:00Z'],
  ['on Sunday', { rhythm: 'weekly', day: 7, hour: 0 }, '2026-11-27T12:00:00Z', '2026-11-28T23:00:00Z'],
  ['on the first', { rhythm: 'monthly', day: 1, hour: 7 }, '2026-11-27T12:00:00Z', '2026-12-01T06:00:00Z'],
  [
    'on the last of a short month',
    { rhythm: 'monthly', day: 31, hour: 7 },
    '2027-02-01T12:00:00Z',
    '2027-02-28T06:00:00Z',
  ],
  ['in summer time', { rhythm: 'daily', day: 1, hour: 7 }, '2026-07-01T12:00:00Z', '2026-07-02T05:00:00Z'],
  // 02:00 does not exist on 28 March 2027.
  ['when clocks go forward', { rhythm: 'daily', day: 1, hour: 2 }, '2027-03-27T12:00:00Z', '2027-03-28T01:00:00Z'],
  // 02:00 occurs twice on 31 October 2027.
  ['once when clocks go back', { rhythm: 'daily', day: 1, hour: 2 }, '2027-10-31T00:00:00Z', '2027-11-01T01:00:00Z'],
])('is due %s', (_, times, after, next) => {
  expect(new Date(findNextRun(times, Date.parse(after), zone)).toISOString()).toBe(next.replace('Z', '.000Z'))
})

it.each<[string, ExportTimes, string, string]>([
  ['at this moment', { rhythm: 'daily', day: 1, hour: 7 }, '2026-11-27T06:00:00Z', '2026-11-27T06:00:00Z'],
  ['the day before', { rhythm: 'daily', day: 1, hour: 7 }, '2026-11-27T05:59:59Z', '2026-11-26T06:00:00Z'],
  ['last Monday', { rhythm: 'weekly', day: 1, hour: 7 }, '2026-11-29T12:00:00Z', '2026-11-23T06:00:00Z'],
  ['last month', { rhythm: 'monthly', day: 31, hour: 7 }, '2027-03-30T12:00:00Z', '2027-02-28T06:00:00Z'],
])('was due %s', (_, times, until, last) => {
  expect(new Date(findLastRun(times, Date.parse(until), zone)).toISOString()).toBe(last.replace('Z', '.000Z'))
})

it('names ranges that move on', () => {
  expect(dayPresets.map(({ id, days }) => [id, days('2027-03-01')])).toContainEqual([
    'last-month',
    { from: '2027-02-01', to: '2027-02-28' },
  ])
  expect(findDayPreset('yesterday')?.days('2027-01-01')).toEqual({ from: '2026-12-31', to: '2026-12-31' })
})
