const formatters = new Map<string, Intl.NumberFormat>()

function getFormatter(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  formatters.set(key, made)
  return made
}

/**
 * Formats a number with a fixed number of fraction digits. Engines differ in the space between thousands: it is always
 * U+00A0, so that server and browser write the same text. Bidirectional marks are removed.
 */
export function formatNumber(value: number | Intl.StringNumericLiteral, digits: number, locale: string): string {
  const text = getFormatter(locale, digits).format(value)
  return text.replaceAll('\u202f', '\u00a0').replaceAll(/[\u200e\u200f\u061c]/gu, '')
}

/** Formats a count: "2,300", "2.300", "2 300". */
export function formatCount(count: number, locale: string): string {
  return formatNumber(count, 0, locale)
}
