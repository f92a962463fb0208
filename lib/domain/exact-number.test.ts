import { describe, expect, it } from 'vitest'
import { findInexactNumber, isExactNumber } from './exact-number'

describe('a number in JSON (DC-03)', () => {
  it.each([
    '0',
    '-0',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992.0',
    '1e21',
    '1E+22',
    '0.1',
    '1.5e300',
    `1${'0'.repeat(22)}`,
  ])('is exact: %s', (raw) => expect(isExactNumber(raw)).toBe(true))

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '900719925474099.3e1',
    '12345678901234567890',
    '1e400',
    `9007199254740992.${'0'.repeat(1_000)}`,
  ])('is not, and would be rounded: %s', (raw) => expect(isExactNumber(raw)).toBe(false))

  it('is found in a text, but not within its strings', () => {
    expect(findInexactNumber('{"a":[1,{"b":-9007199254740993}],"c":9007199254740995}')).toBe('-9007199254740993')
    expect(findInexactNumber('{"9007199254740993":"\\"9007199254740993","b":1.25}')).toBeNull()
  })
})
