import { expect, it } from 'vitest'
import { escapeInvisible } from './visible-text'

it('shows what would turn or hide text, and leaves emoji and scripts alone', () => {
  expect(escapeInvisible('Ann\u202Etxt.exe\u200B')).toBe('Ann‹U+202E›txt.exe‹U+200B›')
  expect(escapeInvisible('1\tÅse\r\n2')).toBe('1\tÅse\r\n2')
  expect(escapeInvisible('👩‍👧 نورة می‌خواهم')).toBe('👩‍👧 نورة می‌خواهم')
})

it.each([0x34f, 0x115f, 0x1160, 0x200c, 0x200d, 0x2800, 0x3164, 0xffa0, 0xe0020, 0xe0041, 0xe007f])(
  'shows code point %i between letters, where it would make two names look alike',
  (code) => {
    const name = `An${String.fromCodePoint(code)}n${String.fromCodePoint(code)}`
    const shown = `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
    expect(escapeInvisible(name)).toBe(`An${shown}n${shown}`)
  },
)
