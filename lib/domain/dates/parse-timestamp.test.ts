import { expect, it } from 'vitest'
import { parseTimestamp } from './date'

const noon = Date.UTC(2026, 10, 20, 12)

it.each([
  '2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00',
  '2026-11-20t12:00:00.000z',
  '2026-11-20 12:00:00',
  '2026-11-20 12:00:00 +00:00',
  '2026-11-20T13:00:00+0100',
  '2026-11-20T07:30:00.0000000-04:30',
  ' 2026-11-20T12:00:00Z ',
])('%j is noon in UTC, wherever it is read', (written) => {
  expect(parseTimestamp(written)).toBe(noon)
})

it.each(['', 'soon', null, {}, '2026-13-20T12:00:00Z'])('%j is no moment', (value) => {
  expect(parseTimestamp(value)).toBeNaN()
})
