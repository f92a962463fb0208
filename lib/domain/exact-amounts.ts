import { parseMillionths, formatMillionths } from './amount-sums'
import { type AmountUnit, currencyExponents, parseDecimal } from './money'

/** Minor units, exponent and plain decimal of an amount as text, each empty if it cannot be given exactly. */
export type ExactAmount = { minor: string; exponent: string; decimal: string }

const emptyAmount: ExactAmount = { minor: '', exponent: '', decimal: '' }

/**
 * An amount as ISO 4217 minor units, exponent and decimal, exactly. An amount that is no whole number of minor units
 * has no `minor`; a currency without an exponent gives at most the decimal.
 */
export function formatExactAmount(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
): ExactAmount {
  const millionths = parseMillionths(amount)
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  if (millionths === null) return emptyAmount
  // Without an exponent only amounts in whole currency units are certain; the unit of others would be a guess.
  if (exponent === undefined)
    return unit === 'major' ? { ...emptyAmount, decimal: formatMillionths(millionths) } : emptyAmount
  const given = { minor: exponent, hundredths: 2, major: 0 }[unit]
  // In trillionths, so that every unit divides evenly.
  const exact = millionths * 10n ** BigInt(6 - given)
  const perMinor = 10n ** BigInt(12 - exponent)
  const minor = exact % perMinor === 0n ? (exact / perMinor).toString() : ''
  return { minor, exponent: String(exponent), decimal: formatTrillionths(exact, exponent) }
}

/** Trillionths as a decimal with at least `exponent` fraction digits. */
function formatTrillionths(exact: bigint, exponent: number): string {
  const digits = (exact < 0n ? -exact : exact).toString().padStart(13, '0')
  const whole = digits.slice(0, -12)
  const fraction = digits.slice(-12).replace(/0+$/u, '').padEnd(exponent, '0')
  return `${exact < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

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
