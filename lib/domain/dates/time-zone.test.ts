import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timestampInZone, formatInZone } from './time-zone'

const iso = (day: string, time: string, zone: string) => new Date(timestampInZone(day, time, zone)).toISOString()

test.each([
  ['2026-01-15', '16:00', 'Europe/Copenhagen', '2026-01-15T15:00:00.000Z'],
  ['2026-07-15', '16:00', 'Europe/Copenhagen', '2026-07-15T14:00:00.000Z'],
  // Clocks go forward at 02:00 on 29 March 2026 and back at 03:00 on 25 October 2026.
  ['2026-03-29', '02:30', 'Europe/Copenhagen', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29', '16:00', 'Europe/Copenhagen', '2026-03-29T14:00:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Copenhagen', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25', '16:00', 'Europe/Copenhagen', '2026-10-25T15:00:00.000Z'],
  ['2026-06-01', '00:00', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
  ['2026-06-01', '00:00', 'America/St_Johns', '2026-06-01T02:30:00.000Z'],
])('%s %s in %s is %s', (day, time, zone, expected) => {
  expect(iso(day, time, zone)).toBe(expected)
})

test('writes a moment as clocks show it, which reads as the same moment again', () => {
  expect(formatInZone(Date.parse('2026-11-20T14:03:09.120Z'), 'Europe/Copenhagen')).toBe(
    '2026-11-20T15:03:09.120+01:00',
  )
  expect(formatInZone(Date.parse('2026-06-01T02:30:00Z'), 'America/St_Johns')).toBe('2026-06-01T00:00:00.000-02:30')
  const zones = fc.constantFrom('Europe/Copenhagen', 'UTC', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe')
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }), zones, (epoch, zone) => {
      expect(Date.parse(formatInZone(epoch, zone))).toBe(epoch)
    }),
  )
})
