/** Bidirectional and zero-width characters, except the joiners that emoji and scripts need. */
const invisible = /(?!\t|\n|\r|\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Replaces invisible characters by their code points, for texts on which people base decisions (XS-13). */
export function escapeInvisible(text: string): string {
  return text.replaceAll(
    invisible,
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
