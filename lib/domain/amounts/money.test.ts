import { data } from 'currency-codes'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AmountUnit, currencyExponents, formatMoney, formatMoneyLine } from './money'

/** What the digits must be, by moving the point in the text and nothing else. */
function shiftText(digits: string, exponent: number): string {
  const padded = digits.padStart(exponent + 1, '0')
  if (exponent === 0) return padded
  return `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`
}

function show(amount: number | string | null, currency: string | null, unit: AmountUnit = 'minor') {
  return formatMoney(amount, currency, unit, 'en-GB')
}

describe('the exponents (DC-01)', () => {
  const notApplicable = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

  it('are those of the maintained list, for every code that has one', () => {
    for (const { code, digits } of data) {
      expect([code, currencyExponents.get(code)]).toEqual([code, notApplicable.has(code) ? undefined : digits])
    }
    const listed = new Set(data.map(({ code }) => code))
    expect([...currencyExponents.keys()].filter((code) => !listed.has(code))).toEqual(['XCG'])
  })

  it('move the point in the amount, for every code, whatever Intl believes of it', () => {
    for (const [code, exponent] of currencyExponents) {
      const { kind, text, currency } = show(123_456_789, code)
      expect({ kind, text: text.replaceAll(',', ''), currency }).toEqual({
        kind: 'money',
        text: shiftText('123456789', exponent),
        currency: code,
      })
    }
  })

  it.each([
    [1245, 'JPY', '1,245'],
    [1245, 'EUR', '12.45'],
    [1245, 'HUF', '12.45'],
    [1245, 'IQD', '1.245'],
    [1245, 'KWD', '1.245'],
    [1245, 'CLF', '0.1245'],
    [124_500, 'DKK', '1,245.00'],
    [5, 'DKK', '0.05'],
  ])('show %d %s as %s', (amount, currency, text) => {
    expect(show(amount, currency).text).toBe(text)
  })
})

describe('a currency that ISO 4217 gives no exponent (DC-02)', () => {
  it.each(['XYZ', 'dkk', '', null, 'XAU', 'XXX', 'XTS', 'DKK ', '__proto__', 'constructor'])(
    '%s gives the raw integer and says that it is minor units',
    (currency) => {
      expect(show(124_500, currency)).toEqual({ kind: 'raw', text: '124500', currency, note: 'minor units' })
    },
  )

  it('says so in a sentence too', () => {
    expect(formatMoneyLine(124_500, 'dkk', 'minor', 'en-GB')).toBe('124500 dkk (minor units)')
    expect(formatMoneyLine(124_500, null, 'minor', 'en-GB')).toBe('124500 (minor units)')
    expect(formatMoneyLine(124_500, 'DKK', 'minor', 'en-GB')).toBe('1,245.00 DKK')
  })
})

describe('amounts at the edges (DC-03)', () => {
  it.each([
    [0, '0.00'],
    [-0, '0.00'],
    ['-0', '0.00'],
    [-1, '-0.01'],
    [-124_500, '-1,245.00'],
    ['100', '1.00'],
    [2 ** 53 - 1, '90,071,992,547,409.91'],
    ['9007199254740993', '90,071,992,547,409.93'],
    ['123456789012345678901234567890', '1,234,567,890,123,456,789,012,345,678.90'],
  ])('%s DKK is %s', (amount, text) => {
    expect(show(amount, 'DKK')).toMatchObject({ kind: 'money', text })
  })

  it.each([
    2 ** 53,
    2 ** 53 + 1,
    1e21,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1.5',
    '',
    ' 1',
    '1e3',
    '0x10',
    '007',
    '+1',
    '1,000',
    '٣',
  ])('%s minor units is refused, not rounded', (amount) => {
    expect(show(amount, 'DKK')).toMatchObject({
      kind: 'none',
      text: '—',
      note: expect.stringContaining(String(amount)),
    })
  })

  it('shows nothing where nothing was said', () => {
    expect(show(null, 'DKK')).toEqual({ kind: 'none', text: '—', currency: 'DKK', note: null })
  })

  it('never changes a digit of a whole number, however written', () => {
    const codes = [...currencyExponents]
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        fc.constantFrom(...codes),
        (value, [code, exponent]) => {
          const sign = value < 0n ? '-' : ''
          const expected = sign + shiftText(String(value < 0n ? -value : value), exponent)
          expect(show(String(value), code).text.replaceAll(',', '')).toBe(expected)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('shows every safe integer exactly and refuses every other number', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.double()), (value) => {
        const { kind, text } = show(value, 'DKK')
        const shown = kind === 'none' ? null : BigInt(text.replaceAll(/[,.]/gu, ''))
        expect(shown).toBe(Number.isSafeInteger(value) ? BigInt(value) : null)
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('the other units of a deployment', () => {
  it.each([
    [12_345, 'DKK', '123.45'],
    [12_300, 'JPY', '123'],
    [12_345, 'JPY', '123.45'],
    [12_345, 'KWD', '123.450'],
  ])('hundredths: %d %s is %s', (amount, currency, text) => {
    expect(show(amount, currency, 'hundredths').text).toBe(text)
  })

  it.each([
    [1245, 'DKK', '1,245.00'],
    [1245.5, 'DKK', '1,245.50'],
    ['1245.505', 'DKK', '1,245.505'],
    [1245, 'JPY', '1,245'],
    [0.1, 'EUR', '0.10'],
  ])('whole currency: %s %s is %s', (amount, currency, text) => {
    expect(show(amount, currency, 'major').text).toBe(text)
  })

  it('refuses a fraction that a double may have rounded', () => {
    expect(show(0.1 + 0.2, 'EUR', 'major').kind).toBe('none')
    expect(show(1e-7, 'EUR', 'major').kind).toBe('none')
  })

  it('writes digits as the language does, without passing through a double', () => {
    expect(formatMoney('9007199254740993', 'DKK', 'minor', 'da').text).toBe('90.071.992.547.409,93')
  })
})
