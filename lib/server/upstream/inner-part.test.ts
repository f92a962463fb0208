import { expect, it } from 'vitest'
import { findInnerPart, findWord } from './inner-part'

it.each([
  ['Ann Berg', 'er'],
  ['PMT-1024', '02'],
  ['Hansen', 'anse'],
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

it('the longest word with a letter is no number, however long', () => {
  expect([findWord('PMT-1024'), findWord('C1001 of 20261125'), findWord('1024')]).toEqual(['PMT', 'C1001', null])
})
