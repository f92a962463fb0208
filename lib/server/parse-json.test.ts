import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactly, parseJson } from './parse-json'

describe('parsing a reply exactly', () => {
  it('keeps the digits of whole numbers that a double would round', () => {
    const text =
      '{"id":1234567890123456789,"list":[-9007199254740993, 9007199254740991],"s":"12345678901234567890 \\" 1"}'
    expect(parseExactly(text)).toEqual({
      id: '1234567890123456789',
      list: ['-9007199254740993', 9_007_199_254_740_991],
      s: '12345678901234567890 " 1',
    })
  })

  it('keeps them wherever a number may stand', () => {
    expect(parseExactly('1234567890123456789')).toBe('1234567890123456789')
    expect(parseExactly('[ -9007199254740993\n,9007199254740995]')).toEqual(['-9007199254740993', '9007199254740995'])
    expect(parseExactly('{"a\\\\":9007199254740993,"b\\"":"x"}')).toEqual({ 'a\\': '9007199254740993', 'b"': 'x' })
  })

  it('leaves other numbers as they are', () => {
    expect(parseExactly('[1e21, 0.5, -12.25, 12345678901234567.5]')).toEqual([
      1e21,
      0.5,
      -12.25,
      Number('12345678901234567.5'),
    ])
    expect(() => parseExactly('[0123456789012345678]')).toThrow(SyntaxError)
    expect(() => parseExactly('{1234567890123456789:1}')).not.toThrow()
  })

  it('reads everything else as JSON does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}/u.test(text))
        expect(parseExactly(text)).toEqual(parseJson(text))
      }),
    )
  })
})
