import { expect, test } from 'vitest'
import { addBusinessDays } from './payment-lifecycle'

const date = (text: string) => new Date(`${text}T00:00:00Z`)

test.each([
  ['2026-11-21', 0, '2026-11-23'],
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-11-23', -1, '2026-11-20'],
  ['2026-04-07', -1, '2026-04-01'],
  // Great Prayer Day was a holiday until 2023.
  ['2023-05-04', 1, '2023-05-08'],
])('in Denmark %s and %i business days make %s', (from, count, to) => {
  expect(addBusinessDays(date(from), count, 'denmark')).toEqual(date(to))
})

test('the time of the day is dropped', () => {
  expect(addBusinessDays(new Date('2026-11-20T23:59:59Z'), 1, 'target2')).toEqual(date('2026-11-23'))
})
