import { expect, it } from 'vitest'
import { formatBusinessDate, formatDay, formatMonth, formatTimestamp } from './dates/date'
import { formatCutOff } from './cancellations/cut-off'
import { formatMoneyLine } from './amounts/money'
import { formatCount } from './numbers'
import { pickLocale } from './locale'

it.each<[string | null, string, string]>([
  [null, 'en', 'en-GB'],
  ['', 'en', 'en-GB'],
  ['*', 'en', 'en-GB'],
  ['en', 'en', 'en-GB'],
  ['en-US,en;q=0.9', 'en', 'en-US'],
  ['da-DK,da;q=0.9,en-US;q=0.8,en;q=0.7', 'da', 'da-DK'],
  ['da-DK,da;q=0.9,en-US;q=0.8,en;q=0.7', 'en', 'en-US'],
  ['en-US', 'da', 'da-DK'],
  ['de', 'en', 'en-GB'],
  ['en-US;q=0.2, EN-ie;q=0.8', 'en', 'en-IE'],
  ['en-US;q=0', 'en', 'en-GB'],
  ['tlh,sv-SE;q=0.5', 'sv', 'sv-SE'],
  ['ar-EG', 'ar', 'ar-EG-u-ca-gregory-nu-latn'],
  ['th-TH-u-nu-thai', 'th', 'th-TH-u-ca-gregory-nu-latn'],
  [';;q=,,=', 'en', 'en-GB'],
  ['<script>,de-DE', 'de', 'de-DE'],
  ['x'.repeat(10_000), 'en', 'en-GB'],
])('reads %j for texts in %s as %s', (accepted, language, locale) => {
  expect(pickLocale(accepted, language)).toBe(locale)
})

const written = (accepted: string) => {
  const locale = pickLocale(accepted, accepted.slice(0, 2))
  return [
    formatDay('2026-11-20', locale),
    formatMonth('2026-11', locale),
    formatMoneyLine(123_456_789, 'DKK', 'minor', locale),
    formatCount(12_345, locale).replaceAll('\u00a0', ' '),
  ]
}

it.each([
  ['en-GB', ['20 Nov 2026', 'Nov 2026', '1,234,567.89 DKK', '12,345']],
  ['en-US', ['Nov 20, 2026', 'Nov 2026', '1,234,567.89 DKK', '12,345']],
  ['en-IN', ['20 Nov 2026', 'Nov 2026', '12,34,567.89 DKK', '12,345']],
  ['de-DE', ['20. Nov. 2026', 'Nov. 2026', '1.234.567,89 DKK', '12.345']],
  ['da-DK', ['20. nov. 2026', 'nov. 2026', '1.234.567,89 DKK', '12.345']],
  ['sv-SE', ['20 nov. 2026', 'nov. 2026', '1\u00a0234\u00a0567,89 DKK', '12 345']],
  ['fr-FR', ['20 nov. 2026', 'nov. 2026', '1\u00a0234\u00a0567,89 DKK', '12 345']],
  ['ar-EG', ['20 نوفمبر 2026', 'نوفمبر 2026', '1,234,567.89 DKK', '12,345']],
  ['fa-IR', ['20 نوامبر 2026', 'نوامبر 2026', '1,234,567.89 DKK', '12,345']],
])('writes days, months, amounts and counts as %s does', (accepted, expected) => {
  expect(written(accepted)).toEqual(expected)
})

it('leaves the words around a date to the desk, whatever the language of the reader', () => {
  expect(formatBusinessDate('2026-11-23', 'Europe/Copenhagen', 'de-DE')?.title).toBe(
    'Montag, 23. Nov. 2026, a day in Europe/Copenhagen',
  )
  expect(formatTimestamp('2026-11-20T13:03:22Z', 'Europe/Copenhagen', 'da-DK')?.text).toBe('20. nov. 2026, 14.03 CET')
  const at = Date.parse('2026-11-24T15:00:00Z')
  const cutOff = { at, day: '2026-11-24' }
  expect(formatCutOff(cutOff, 'Europe/Copenhagen', 'de-DE')).toBe('Di 24. Nov., 16:00 Copenhagen')
  expect(formatCutOff(cutOff, 'Europe/Copenhagen', 'en-GB')).toBe('Tue 24 Nov, 16:00 Copenhagen')
})

it('writes a minus that turns nothing', () => {
  expect(formatMoneyLine(-5, 'DKK', 'minor', pickLocale('ar-EG', 'ar'))).toBe('-0.05 DKK')
})
