/** What turns the direction of text or takes no room, but not the joiners that emoji and scripts are made with. */
const invisible = /(?!\t|\n|\r|\u200C|\u200D|[\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Writes invisible characters as their code points, for texts by which somebody decides (XS-13). */
export function escapeInvisible(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`,
  )
}

/** The first `most` code points of a text, never half of a pair, and "…" for what is left out. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
  return kept === text ? text : `${kept}…`
}
