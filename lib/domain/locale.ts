const defaultLocale = 'en-GB'

const MAX_CACHED = 500

const cache = new Map<string, string | null>()

/**
 * The supported locale for a language tag, or null. Always with the Gregorian calendar and Latin digits, like the
 * service's own texts.
 */
function findLocale(tag: string): string | null {
  const found = cache.get(tag)
  if (found !== undefined) return found
  let locale: string | null = null
  try {
    const base = new Intl.Locale(tag).baseName
    // The resolved locale, because every distinct locale has its own formatters.
    const { locale: resolved, calendar, numberingSystem } = new Intl.DateTimeFormat(base).resolvedOptions()
    const isGregorianLatin = calendar === 'gregory' && numberingSystem === 'latn'
    const isSupported = Intl.DateTimeFormat.supportedLocalesOf(base).length > 0
    if (isSupported) locale = isGregorianLatin ? resolved : `${resolved}-u-ca-gregory-nu-latn`
  } catch {
    // Not a language tag.
  }
  if (cache.size > MAX_CACHED) cache.clear()
  cache.set(tag, locale)
  return locale
}

/**
 * The locale for dates, amounts and counts: the best BCP 47 tag in the reader's Accept-Language (RFC 9110, section
 * 12.5.4) that `Intl` supports. Plain `en` is en-GB.
 */
export function pickLocale(accepted: string | null): string {
  const wanted = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/u)
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of wanted) {
    const locale = tag === 'en' ? defaultLocale : findLocale(tag)
    if (locale !== null) return locale
  }
  return defaultLocale
}
