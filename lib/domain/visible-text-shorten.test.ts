import { expect, it } from 'vitest'
import { shorten } from './visible-text'

it.each([
  ['DKK', 12, 'DKK'],
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcdef…'],
  ['😀😀😀', 3, '😀😀😀'],
  ['😀😀😀😀', 3, '😀😀😀…'],
  ['', 3, ''],
])('shortens %s to %i characters: %s', (text, most, short) => {
  expect(shorten(text, most)).toBe(short)
})
