import { parseAcceptLanguage } from '@/lib/language/choose-language'
import { usualLocale } from '@/lib/language/runtime'

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
 * The locale for dates, amounts and counts: the best BCP 47 tag in the reader's Accept-Language that belongs to the
 * language of the texts and that `Intl` supports. Plain `en` is en-GB.
 */
export function pickLocale(accepted: string | null, language: string): string {
  for (const tag of parseAcceptLanguage(accepted)) {
    if (tag === language || !tag.startsWith(`${language}-`)) continue
    const locale = findLocale(tag)
    if (locale !== null) return locale
  }
  return usualLocale(language)
}
