import type { CsvCell } from '../csv'
import { type AmountUnit, currencyExponents, parseDecimal } from './money'

/** Minor units and the decimal of an amount, both exact, as text. */
export type ExactMoney = { minor: string; exponent: number; decimal: string }

function stripZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '')
}

/**
 * An amount as the service sent it in ISO 4217 minor units; null where that would be a guess: an amount that cannot be
 * parsed exactly, a currency unknown to ISO 4217, a fraction of a minor unit.
 */
export function parseExactMoney(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
): ExactMoney | null {
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  const read = amount === null ? null : parseDecimal(amount)
  if (exponent === undefined || !read) return null
  const { sign, whole, fraction } = read
  if (unit !== 'major' && fraction) return null
  // The value is `digits` with `scale` fraction digits.
  const scale = unit === 'major' ? fraction.length : unit === 'minor' ? exponent : 2
  const digits = unit === 'major' ? whole + fraction : whole
  const excess = scale - exponent
  if (excess > 0 && !/^0*$/u.test(digits.slice(-excess))) return null
  const units = stripZeros(excess > 0 ? digits.slice(0, -excess) || '0' : digits + '0'.repeat(-excess))
  const minus = units === '0' ? '' : sign
  const padded = units.padStart(exponent + 1, '0')
  const point = padded.length - exponent
  const decimal = exponent === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`
  return { minor: `${minus}${units}`, exponent, decimal: `${minus}${decimal}` }
}

/** An amount as a file shows it: minor units, exponent and decimal, all three empty where `parseExactMoney` gives none. */
export function writeAmountCells(amount: number | string | null, currency: string | null, unit: AmountUnit): CsvCell[] {
  const money = parseExactMoney(amount, currency, unit)
  return money ? [{ number: money.minor }, money.exponent, { number: money.decimal }] : ['', '', '']
}
