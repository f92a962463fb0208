import { foldAccents } from '@/lib/api-contract/fold-text'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** The inside of a word: without its first and last letter, of a short one without its first. Null of a single letter. */
function cutWord(word: string): string | null {
  const letters = Array.from(graphemes.segment(word), ({ segment }) => segment)
  return letters.length < 2 ? null : letters.slice(1, letters.length > 3 ? -1 : undefined).join('')
}

/**
 * A part of a text that begins no word of it, so that a service which compares words does not find it: from the inside of
 * its longest word that `fits` (any by default). Null where there is none.
 */
export function findInnerPart(value: unknown, fits = /^/u): string | null {
  const own = String(value).match(words) ?? []
  const beginsNone = (part: string) => !own.some((word) => foldAccents(word).startsWith(foldAccents(part)))
  const longestFirst = own.filter((word) => fits.test(word)).toSorted((one, other) => other.length - one.length)
  return longestFirst.flatMap((word) => cutWord(word) ?? []).find(beginsNone) ?? null
}
