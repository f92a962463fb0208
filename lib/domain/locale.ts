/** How the desk writes where nobody said otherwise. */
const house = 'en-GB'

const known = new Map<string, string | null>()

/**
 * The locale that answers to a language tag, or null. Only what numbers and dates look like is taken from it: days are
 * those of the Gregorian calendar and digits Latin ones, as in the service's own words, whatever else is usual there.
 */
function findLocale(tag: string): string | null {
  const found = known.get(tag)
  if (found !== undefined) return found
  let locale: string | null = null
  try {
    const base = new Intl.Locale(tag).baseName
    // Of tags that only differ in what engines do not know, one is enough: each has formatters of its own.
    const { locale: answering, calendar, numberingSystem } = new Intl.DateTimeFormat(base).resolvedOptions()
    const isUsual = calendar === 'gregory' && numberingSystem === 'latn'
    const isSupported = Intl.DateTimeFormat.supportedLocalesOf(base).length > 0
    if (isSupported) locale = isUsual ? answering : `${answering}-u-ca-gregory-nu-latn`
  } catch {
    // Not a language tag.
  }
  if (known.size > 500) known.clear()
  known.set(tag, locale)
  return locale
}

/**
 * In which locale dates, amounts and counts are written, by the reader's Accept-Language (RFC 9110, section 12.5.4): a
 * BCP 47 tag that `Intl` knows. English of no country is the desk's own.
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
    const locale = tag === 'en' ? house : findLocale(tag)
    if (locale !== null) return locale
  }
  return house
}
