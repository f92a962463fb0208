/** The first `most` code points of a text, never half of a pair, and "…" for what is left out. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
  return kept === text ? text : `${kept}…`
}
