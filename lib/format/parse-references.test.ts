import { expect, test } from 'vitest'
import { parseReferences } from './parse-references'

test.each([
  ['line ends of either kind, blank lines and a mark', '\uFEFFone\r\n\r\n  two  \n\n\nthree', ['one', 'two', 'three']],
  ['duplicates, which are told and not hidden', 'one\none\n', ['one', 'one']],
  ['a heading', 'Payment ID;Reason\none;x', ['one']],
  ['nothing', ' \r\n \n', []],
])('reads %s (BK-05)', (_, text, given) => {
  expect(parseReferences(text).map((row) => row.given)).toEqual(given)
})

test('reads a reason beside an id, quoted or not', () => {
  expect(parseReferences('a;"Twice; by mistake"\nb;\nc')).toEqual([
    { given: 'a', reason: 'Twice; by mistake' },
    { given: 'b', reason: null },
    { given: 'c', reason: null },
  ])
})
