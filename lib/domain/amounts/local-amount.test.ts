import { expect, it } from 'vitest'
import { formatPlainDecimal, parseLocalAmount, toLocalAmount } from './local-amount'

it.each([
  ['1245', 'da-DK', '1245'],
  ['1.245,00', 'da-DK', '1245.00'],
  ['1,245.00', 'en-GB', '1245.00'],
  ['1.245', 'da-DK', '1245'],
  ['1.245', 'en-GB', '1.245'],
  ['1,245', 'en-GB', '1245'],
  ['1,5', 'en-GB', '1.5'],
  ['1 245,5', 'sv-SE', '1245.5'],
  ['1’245.50', 'de-CH', '1245.50'],
  ['123.456.789.012,5', 'da-DK', '123456789012.5'],
  ['1.234.567.890.123', 'da-DK', null],
  ['1234567890123', 'da-DK', null],
  ['0100', 'en-GB', '100'],
  ['001.245,00', 'da-DK', '1245.00'],
  ['00,50', 'da-DK', '0.50'],
  ['000', 'en-GB', '0'],
  ['', 'en-GB', null],
  ['-5', 'en-GB', null],
  ['1.2.3', 'en-GB', null],
  ['12 kr', 'da-DK', null],
  ['1,24,500', 'en-GB', null],
])('reads %s in %s as %s', (text, locale, plain) => {
  expect(parseLocalAmount(text, locale)).toBe(plain)
})

it.each(['da-DK', 'en-GB', 'sv-SE', 'de-CH'])('a stored amount is read in %s as it was written', (locale) => {
  for (const plain of ['2.500', '2500', '0.5', '1234567.25', ''])
    expect(parseLocalAmount(toLocalAmount(plain, locale), locale)).toBe(plain || null)
})

it.each([
  ['1000', 'en-GB', '1,000'],
  ['1234567.25', 'da-DK', '1.234.567,25'],
  ['999999999999.5', 'en-GB', '999,999,999,999.5'],
])('writes %s in %s as %s', (plain, locale, text) => {
  expect(formatPlainDecimal(plain, locale)).toBe(text)
})
