import { invisible } from './invisible-characters'

/** Every invisible character but tabs and line breaks. */
const hidden = new RegExp(`(?![\\t\\n\\r])(?:${invisible.source})`, 'gu')

/** Replaces invisible characters by their code points, for texts on which people base decisions (XS-13). */
export function escapeInvisible(text: string): string {
  return text.replaceAll(
    hidden,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`,
  )
}

/** The first `max` code points of a text, never half a surrogate pair, followed by "…" if any were cut. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const start = Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('')
  return start === text ? text : `${start}…`
}
