import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, writeCanonicalJson } from './canonical-json'

test("writes the example of RFC 8785, members in their names' order", () => {
  const example: Json = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000_000_000_000_000_000_000_000_001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  expect(writeCanonicalJson(example)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('writes the same text whatever the order of the members, and reads back the same', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: 'grapheme' }),
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
      ),
      (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed())
        expect(writeCanonicalJson(turned)).toBe(writeCanonicalJson(value))
        expect(writeCanonicalJson(JSON.parse(writeCanonicalJson(value)))).toBe(writeCanonicalJson(value))
      },
    ),
  )
})

test('leaves out what is undefined and refuses what JSON cannot carry', () => {
  expect(writeCanonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  expect(() => writeCanonicalJson(Number.NaN)).toThrow(TypeError)
  expect(() => writeCanonicalJson(['\ud800'])).toThrow(TypeError)
})
