import { expect, it } from 'vitest'
import { truncate } from './visible-text'

it.each([
  ['DKK', 12, 'DKK'],
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcdef…'],
  ['😀😀😀', 3, '😀😀😀'],
  ['😀😀😀😀', 3, '😀😀😀…'],
  ['', 3, ''],
])('shortens %s to %i characters: %s', (text, most, short) => {
  expect(truncate(text, most)).toBe(short)
})
