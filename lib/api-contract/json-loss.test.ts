import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLoss } from './json-loss'

it.each([
  ['name', '{"name":"A","name":"A"}'],
  ['name', String.raw`{"name":"A" , "n\u0061me" : 1}`],
  ['"', String.raw`{"\"":"\\","\"":1}`],
])('finds that %j stands there twice in %s', (field, text) => {
  expect(findLoss(text)).toEqual({ field, isInside: false, name: field })
})

it('finds a name twice inside a field, and none in two records beside each other', () => {
  const text = '{"b":{},"a":{"x":[1,{"y":1,"z":{"y":1},"y":2}]}}'
  expect(findLoss(text)).toEqual({ field: 'a', isInside: true, name: 'y' })
  expect(findLoss('[{"a":1,"a":2}]')).toEqual({ field: '', isInside: true, name: 'a' })
  expect(findLoss('{"a":[{"x":1},{"x":1}],"b":{"a":{"b":1}},"c":"\\"a\\":1,\\"a\\":2"}')).toBe(null)
})

it('finds a number that would be rounded, and none in a text', () => {
  const text = '{"b":1,"a":[{"id":-9007199254740993}],"c":9007199254740995}'
  expect(findLoss(text)).toEqual({ field: 'a', isInside: true, number: '-9007199254740993' })
  expect(findLoss('{"a":9007199254740991,"b":[1.50 , 1E2],"c":"9007199254740993","d":"\\"9007199254740993"}')).toBe(
    null,
  )
})

it('finds nothing in what was written as JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat({ max: 2 }), (text, spaces) => {
      expect(findLoss(JSON.stringify(JSON.parse(text), null, spaces))).toBe(null)
    }),
  )
})
