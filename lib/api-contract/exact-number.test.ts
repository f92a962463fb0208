import { describe, expect, it } from 'vitest'
import { isExactNumber } from './exact-number'

describe('a number in JSON (DC-03)', () => {
  it.each([
    '0',
    '-0',
    '-0.00000000000000000000',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992.0',
    '1e21',
    '1E+22',
    '0.1',
    '0.10000000000000001',
    '5.6843418860808015E-14',
    '0.12345678901234567890',
    '1.5e300',
    '1e300',
    `1${'0'.repeat(22)}`,
    `0.1${'2'.repeat(100_000)}`,
  ])('is kept: %s', (raw) => expect(isExactNumber(raw)).toBe(true))

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '900719925474099.3e1',
    '12345678901234567890',
    '1.2345678901234567890e19',
    '0.99999999999999999999',
    '1e400',
    '1e-400',
    `9007199254740992.${'0'.repeat(1_000)}`,
    '9'.repeat(100_000),
  ])('is not, and would be another whole number: %s', (raw) => expect(isExactNumber(raw)).toBe(false))
})
