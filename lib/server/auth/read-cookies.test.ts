import { expect, it } from 'vitest'
import { parseCookies } from '../http/cookies'

it('reads the named cookies only, decoded, the first of several', () => {
  const header = 'other=1; a=x%7Cy; b = spaced ; a=second; c=%E0%A4%A; =nameless; d'
  expect(parseCookies(header, ['a', 'b', 'c', 'd', '__proto__'])).toEqual({ a: 'x|y', b: 'spaced', c: '%E0%A4%A' })
})

it('answers nothing for no header', () => {
  expect(parseCookies(null, ['a'])).toEqual({})
})
