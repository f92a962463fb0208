import { expect, it } from 'vitest'
import { escapeInvisible } from './visible-text'

it('shows what would turn or hide text, and leaves emoji and scripts alone', () => {
  expect(escapeInvisible('Ann\u202Etxt.exe\u200B')).toBe('Ann‹U+202E›txt.exe‹U+200B›')
  expect(escapeInvisible('👩‍👧 نورة می‌خواهم')).toBe('👩‍👧 نورة می‌خواهم')
})
