import { formatNumber } from '../numbers'
import { type AmountUnit, currencyExponents } from './money'

function getDecimalMark(locale: string): ',' | '.' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/** A plain decimal without leading zeros. */
export function trimZeros(plain: string): string {
  return plain.replace(/^0+(?=\d)/u, '')
}

/**
 * A typed amount such as `1.245,00` or `1,245.00` as a plain decimal, `1245.00`, of at most 12 whole digits; null when it is
 * none. A separator that may be either is what it is in `locale`.
 */
export function parseLocalAmount(text: string, locale: string): string | null {
  const typed = text.trim().replaceAll(/[\s\u00a0\u202f'’]/gu, '')
  const mark = getDecimalMark(locale)
  const group = mark === ',' ? '.' : ','
  const grouped = new RegExp(`^\\d{1,3}(?:[${group}]\\d{3}){1,3}(?:[${mark}]\\d{1,4})?$`, 'u')
  const plain = /^\d{1,12}(?:[.,]\d{1,4})?$/u
  if (grouped.test(typed)) return trimZeros(typed.replaceAll(group, '').replace(mark, '.'))
  return plain.test(typed) ? trimZeros(typed.replace(',', '.')) : null
}

/** A plain decimal as it is typed in `locale`, without separators of thousands: `2.500` is `2,500` in Danish. */
export function toLocalAmount(plain: string, locale: string): string {
  return plain.replace('.', getDecimalMark(locale))
}

/** A plain decimal as it is read in `locale`, with separators of thousands: `1000.5` is `1.000,5` in Danish. */
export function formatPlainDecimal(plain: string, locale: string): string {
  const decimals = plain.split('.')[1]?.length ?? 0
  // It has passed `parseLocalAmount` or `isFilterValue`.
  return formatNumber(plain as Intl.StringNumericLiteral, decimals, locale)
}

/** How many decimals an amount may have to be compared with the service's; undefined where none can be. */
export function countDecimals(currency: string, unit: AmountUnit): number | undefined {
  const exponent = currencyExponents.get(currency)
  return unit === 'minor' ? exponent : Math.min(exponent ?? 4, unit === 'hundredths' ? 2 : 4)
}

/** A plain decimal of a currency's major unit, as the service's number; null when the currency has no such amount. */
export function toServiceAmount(major: string, currency: string, unit: AmountUnit): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/u.exec(major) ?? []
  if (whole === '') return null
  if (unit === 'major') return Number(major)
  const exponent = unit === 'minor' ? currencyExponents.get(currency) : 2
  return exponent === undefined || fraction.length > exponent ? null : Number(whole + fraction.padEnd(exponent, '0'))
}
