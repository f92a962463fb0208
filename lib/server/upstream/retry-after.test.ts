import { describe, expect, test } from 'vitest'
import { retryAfterSeconds, retryDelayMs } from './retry'

const now = new Date('2026-11-20T12:00:00Z')

describe('Retry-After (UP-09)', () => {
  test.each([
    ['7', 7, 7_000],
    [' 30 ', 30, 30_000],
    ['0', 0, 1_000],
    ['120', 60, 120_000],
    ['1000000000', 60, 900_000],
    ['9'.repeat(400), 60, 900_000],
    ['Fri, 20 Nov 2026 12:00:20 GMT', 20, 20_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0, 1_000],
    ['Fri, 20 Nov 2027 12:00:00 GMT', 60, 900_000],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30, 30_000],
    ['Fri Nov 20 12:00:30 2026', 30, 30_000],
    ['Fri Nov  6 12:00:30 2026', 0, 1_000],
    ['2026', 60, 900_000],
  ])('%j is %i s for people and %i ms for the ledger', (header, seconds, milliseconds) => {
    const headers = { 'retry-after': header }
    expect([retryAfterSeconds(headers, now.getTime()), retryDelayMs(headers, now)]).toEqual([seconds, milliseconds])
  })

  test.each([
    ['Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:20 GMT', 20_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 'Fri, 20 Nov 2026 11:00:20 GMT', 20_000],
    ['Fri, 20 Nov 2026 13:00:00 GMT', '20', 20_000],
    ['soon', 'Fri, 20 Nov 2026 12:00:20 GMT', 20_000],
  ])('is measured by the clock of the service where it tells it: %s, %s', (date, header, milliseconds) => {
    expect(retryDelayMs({ date, 'retry-after': header }, now)).toBe(milliseconds)
  })

  test.each([undefined, '', '-1', '1.5', '1e3', 'NaN', 'Infinity', 'abc', 'Fri, 99 Nov', '2027-11-20', '20 Nov 2027'])(
    '%j says nothing: each caller has a wait of its own',
    (header) => {
      const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
      expect([retryAfterSeconds(headers, now.getTime()), retryDelayMs(headers, now)]).toEqual([5, null])
    },
  )
})
