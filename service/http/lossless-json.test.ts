import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLoss } from './lossless-json'

it.each([
  ['name', '{"name":"A","name":"A"}'],
  ['name', String.raw`{"name":"A" , "n\u0061me" : 1}`],
  ['"', String.raw`{"\"":"\\","\"":1}`],
  ['', '[{"a":1,"a":2}]'],
])('finds that %j stands there twice in %s', (field, text) => {
  expect(findLoss(text)).toEqual({ field, rule: text.startsWith('[') ? 'holds a name twice' : 'stands there twice' })
})

it('finds a name twice inside a field, and none in two records beside each other', () => {
  expect(findLoss('{"b":{},"a":{"x":[1,{"y":1,"z":{"y":1},"y":2}]}}')).toMatchObject({ field: 'a' })
  expect(findLoss('{"a":[{"x":1},{"x":1}],"b":{"a":{"b":1}},"c":"\\"a\\":1,\\"a\\":2"}')).toBe(null)
})

it.each([
  '12345678901234567890',
  '-9007199254740993',
  '12345678901234567890.0',
  '1.2345678901234567890e19',
  '0.12345678901234567890',
  '1e400',
  '1e-400',
  '9'.repeat(100_000),
])('finds that %s would be rounded', (number) => {
  expect(findLoss(`{"b":1,"a":[{"id":${number}}]}`)).toMatchObject({ field: 'a' })
})

it.each([
  '0',
  '-0',
  '0.0',
  '9007199254740991',
  '9007199254740992',
  '1.50',
  '150e-2',
  '1E2',
  '0.1',
  '100000000000000000000',
  '1e300',
  '"12345678901234567890"',
])('leaves %s', (number) => {
  expect(findLoss(`{"a":${number},"b":[${number} , ${number}]}`)).toBe(null)
})

it('finds nothing in what was written as JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat({ max: 2 }), (text, spaces) => {
      expect(findLoss(JSON.stringify(JSON.parse(text), null, spaces))).toBe(null)
    }),
  )
})
