import { defaultLanguage, findLanguage, type Language } from './runtime'

/** Cookie with the language that was chosen on this browser's sign-in page. */
export const languageCookie = 'debitdesk-language'

/** The tags of an Accept-Language header (RFC 9110, section 12.5.4), the best first. */
export function parseAcceptLanguage(header: string | null): string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/u)
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

/** The language of a request: the one that was chosen, else the best that the browser accepts, else English. */
export function chooseLanguage(chosen: string | undefined, accepted: string | null): Language {
  const own = chosen === undefined ? null : findLanguage(chosen)
  if (own !== null) return own
  for (const tag of parseAcceptLanguage(accepted)) {
    const language = findLanguage(tag)
    if (language !== null) return language
  }
  return defaultLanguage
}
