import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseExactMoney } from './exact-amounts'

it.each([
  [124500, 'DKK', 'minor', { minor: '124500', exponent: 2, decimal: '1245.00' }],
  [5, 'DKK', 'minor', { minor: '5', exponent: 2, decimal: '0.05' }],
  [-5, 'EUR', 'minor', { minor: '-5', exponent: 2, decimal: '-0.05' }],
  [0, 'EUR', 'minor', { minor: '0', exponent: 2, decimal: '0.00' }],
  [1500, 'JPY', 'minor', { minor: '1500', exponent: 0, decimal: '1500' }],
  [1500, 'KWD', 'minor', { minor: '1500', exponent: 3, decimal: '1.500' }],
  [1500, 'KWD', 'hundredths', { minor: '15000', exponent: 3, decimal: '15.000' }],
  [1500, 'JPY', 'hundredths', { minor: '15', exponent: 0, decimal: '15' }],
  [1501, 'JPY', 'hundredths', null],
  ['12.5', 'DKK', 'major', { minor: '1250', exponent: 2, decimal: '12.50' }],
  ['12.500', 'DKK', 'major', { minor: '1250', exponent: 2, decimal: '12.50' }],
  ['0.50', 'DKK', 'major', { minor: '50', exponent: 2, decimal: '0.50' }],
  ['12.505', 'DKK', 'major', null],
  [12, 'JPY', 'major', { minor: '12', exponent: 0, decimal: '12' }],
  [12.5, 'DKK', 'minor', null],
  [100, 'dkk', 'minor', null],
  [100, null, 'minor', null],
  [null, 'DKK', 'minor', null],
  ['1e3', 'DKK', 'minor', null],
] as const)('%s %s in %s: %o', (amount, currency, unit, expected) => {
  expect(parseExactMoney(amount, currency, unit)).toEqual(expected)
})

it('never loses or adds anything: minor units and decimal are the same number', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom('DKK', 'JPY', 'KWD', 'CLF'), (amount, currency) => {
      const money = parseExactMoney(amount, currency, 'minor')
      expect(BigInt(money?.minor ?? 'x')).toBe(BigInt(amount))
      expect(BigInt((money?.decimal ?? 'x').replace('.', ''))).toBe(BigInt(amount))
      expect((money?.decimal.split('.')[1] ?? '').length).toBe(money?.exponent)
    }),
  )
})
