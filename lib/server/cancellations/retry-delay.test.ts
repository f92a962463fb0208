import { expect, test } from 'vitest'
import { readRetryDelay } from './retry-delay'

const now = new Date('2026-11-20T12:00:00Z')

test.each([
  ['7', 7_000],
  [' 30 ', 30_000],
  ['0', 1_000],
  ['1000000000', 900_000],
  ['Fri, 20 Nov 2026 12:00:20 GMT', 20_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
  ['Fri, 20 Nov 2027 12:00:00 GMT', 900_000],
  ['abc', null],
  ['', null],
  [undefined, null],
])('Retry-After %o is %o ms', (header, milliseconds) => {
  expect(readRetryDelay(header, now)).toBe(milliseconds)
})

test.each(['-1', '1.5', 'NaN', '1e3'])('Retry-After %o never makes a busy loop', (header) => {
  expect(readRetryDelay(header, now) ?? 1_000).toBeGreaterThanOrEqual(1_000)
})
