import { expect, test } from 'vitest'
import { fold, grams } from './text-search'

test('spellings of one name are one', () => {
  expect(fold('ÅSE')).toBe(fold('A\u030ase'))
  expect(fold('Öberg')).toBe(fold('o\u0308BERG'))
})

test('trigrams count characters, not code units, and each once', () => {
  expect(grams('ab')).toEqual([])
  expect(grams('abcabc')).toHaveLength(3)
  expect(grams('a👨b')).toHaveLength(1)
  expect(grams('Ann')).not.toEqual(grams('ann'))
})
