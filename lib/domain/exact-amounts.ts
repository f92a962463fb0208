import { parseMillionths, formatMillionths } from './amount-sums'
import { type AmountUnit, currencyExponents, parseDecimal } from './money'

/** An amount for machines: whole minor units, how many digits they are, and the plain decimal; empty where it cannot be said exactly. */
export type ExactAmount = { minor: string; exponent: string; decimal: string }

const nothing: ExactAmount = { minor: '', exponent: '', decimal: '' }

/**
 * An amount as integer minor units of ISO 4217, exponent and decimal, exactly. A currency without an exponent or
 * an amount that is no whole number of minor units gives the decimal alone, or nothing.
 */
export function formatExactAmount(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
): ExactAmount {
  const millionths = parseMillionths(amount)
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  if (millionths === null) return nothing
  // Without an exponent only whole units of the currency can be told; the unit of all else is a guess.
  if (exponent === undefined) return unit === 'major' ? { ...nothing, decimal: formatMillionths(millionths) } : nothing
  const given = { minor: exponent, hundredths: 2, major: 0 }[unit]
  // In millionths of a millionth, so that every unit divides evenly.
  const exact = millionths * 10n ** BigInt(6 - given)
  const perMinor = 10n ** BigInt(12 - exponent)
  const minor = exact % perMinor === 0n ? (exact / perMinor).toString() : ''
  return { minor, exponent: String(exponent), decimal: writeDecimal(exact, exponent) }
}

/** Trillionths as a decimal with at least `exponent` digits. */
function writeDecimal(exact: bigint, exponent: number): string {
  const digits = (exact < 0n ? -exact : exact).toString().padStart(13, '0')
  const whole = digits.slice(0, -12)
  const fraction = digits.slice(-12).replace(/0+$/u, '').padEnd(exponent, '0')
  return `${exact < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** An amount for machines: whole minor units and the same as a decimal of the currency, both exact, as text. */
export type ExactMoney = { minor: string; exponent: number; decimal: string }

function stripZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '')
}

/**
 * An amount as the service sent it, in minor units of ISO 4217; null where that would be a guess: an amount
 * that cannot be read exactly, a currency that ISO 4217 does not know, less than a minor unit.
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
