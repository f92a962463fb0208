import { expect, it } from 'vitest'
import { formatDay } from './date'
import { pickLocale } from './pick-locale'

it.each([
  [null, 'en-GB'],
  ['', 'en-GB'],
  ['en-US,en;q=0.9', 'en-US'],
  ['da-DK,da;q=0.9,en-US;q=0.8,en;q=0.7', 'en-GB'],
  ['en-US;q=0.2, EN-ie;q=0.8', 'en-IE'],
  ['en-US;q=0', 'en-GB'],
  ['ar-EG', 'en-GB'],
  ['en-IN', 'en-GB'],
  [';;q=,,=', 'en-GB'],
])('reads %j as %s', (accepted, locale) => {
  expect(pickLocale(accepted)).toBe(locale)
})

it('writes a day as its reader does', () => {
  expect(formatDay('2026-11-20', pickLocale('en-US'))).toBe('Nov 20, 2026')
  expect(formatDay('2026-11-20', pickLocale('de-DE'))).toBe('20 Nov 2026')
})
