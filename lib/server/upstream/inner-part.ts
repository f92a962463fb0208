import { foldAccents } from '@/lib/api-contract/fold-text'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** The words of a text, the longest first. */
function listWords(value: unknown): string[] {
  return (String(value).match(words) ?? []).toSorted((one, other) => other.length - one.length)
}

/** The longest word of a text that has a letter; null without one. */
export function findWord(value: unknown): string | null {
  return listWords(value).find((word) => /\p{L}/u.test(word)) ?? null
}

/** The inside of a word: without its first and last letter, of a short one without its first. Null of a single letter. */
function cutWord(word: string): string | null {
  const letters = Array.from(graphemes.segment(word), ({ segment }) => segment)
  return letters.length < 2 ? null : letters.slice(1, letters.length > 3 ? -1 : undefined).join('')
}

/**
 * A part of a text that begins no word of it, so that a service which compares words does not find it: from the inside of
 * its longest word. Null where there is none.
 */
export function findInnerPart(value: unknown): string | null {
  const own = listWords(value)
  const beginsNone = (part: string) => !own.some((word) => foldAccents(word).startsWith(foldAccents(part)))
  return own.flatMap((word) => cutWord(word) ?? []).find(beginsNone) ?? null
}
