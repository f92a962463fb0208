import { expect, it } from 'vitest'
import { findInnerPart } from './inner-part'

it.each([
  ['Ann Berg', 'er'],
  ['PMT-1024', '02'],
  ['Ann', 'nn'],
  ['Bo', 'o'],
  ['Ann Hannah', 'anna'],
  ['1111', null],
  ['O', null],
  ['', null],
  ['A\u030Ase', 'se'],
  ['\u{10400}\u{10401}\u{10402}\u{10403}', '\u{10401}\u{10402}'],
])('of %j is %j', (text, part) => {
  expect(findInnerPart(text)).toBe(part)
})

it('is of a word with letters where only such a one will do', () => {
  expect(findInnerPart('PMT-1024', /\p{L}/u)).toBe('MT')
})
