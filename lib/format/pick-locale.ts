/** The locales that write numbers as the desk's English sentences do, so that no page holds two ways of writing them. */
const spoken = ['en-GB', 'en-US', 'en-IE', 'en-NZ'] as const

/** In which of the desk's locales dates and amounts are shown, by the reader's Accept-Language (RFC 9110, section 12.5.4). */
export function pickLocale(accepted: string | null): string {
  const wanted = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/u)
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  // Browsers add American English to every other language: who reads Danish first does not write dates so.
  const [first] = wanted
  return spoken.find((one) => one.toLowerCase() === first?.tag) ?? spoken[0]
}
