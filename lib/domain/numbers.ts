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
 * A number with so many digits behind the point, as `locale` writes it. Engines differ in which space parts the
 * thousands: it is always the plain one that breaks no line, so that the server's text is the browser's. Marks that
 * turn the text are left out.
 */
export function formatNumber(value: number | Intl.StringNumericLiteral, digits: number, locale: string): string {
  const text = getFormatter(locale, digits).format(value)
  return text.replaceAll('\u202f', '\u00a0').replaceAll(/[\u200e\u200f\u061c]/gu, '')
}

/** A count for people: "2,300", "2.300", "2 300". */
export function formatCount(count: number, locale: string): string {
  return formatNumber(count, 0, locale)
}
