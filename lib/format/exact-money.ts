import { currencyExponents } from './currency-exponents'
import { type AmountUnit, readDecimal } from './money'

/** An amount for machines: whole minor units and the same as a decimal of the currency, both exact, as text. */
export type ExactMoney = { minor: string; exponent: number; decimal: string }

function stripZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '')
}

/**
 * An amount as the service sent it, in minor units of ISO 4217; null where that would be a guess: an amount
 * that cannot be read exactly, a currency that ISO 4217 does not know, less than a minor unit.
 */
export function readExactMoney(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
): ExactMoney | null {
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  const read = amount === null ? null : readDecimal(amount)
  if (exponent === undefined || !read) return null
  const { sign, whole, fraction } = read
  if (unit !== 'major' && fraction) return null
  // As digits of the currency: so many of them behind the point.
  const scale = unit === 'major' ? fraction.length : unit === 'minor' ? exponent : 2
  const digits = unit === 'major' ? whole + fraction : whole
  const beyond = scale - exponent
  if (beyond > 0 && !/^0*$/u.test(digits.slice(-beyond))) return null
  const units = stripZeros(beyond > 0 ? digits.slice(0, -beyond) || '0' : digits + '0'.repeat(-beyond))
  const minus = units === '0' ? '' : sign
  const padded = units.padStart(exponent + 1, '0')
  const point = padded.length - exponent
  const decimal = exponent === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`
  return { minor: `${minus}${units}`, exponent, decimal: `${minus}${decimal}` }
}
