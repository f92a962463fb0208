import { currencyExponents } from './currency-exponents'
import type { AmountUnit } from './money'
import { readMillionths, writeMillionths } from './sum-amounts'

/** An amount for machines: whole minor units, how many digits they are, and the plain decimal; empty where it cannot be said exactly. */
export type ExactAmount = { minor: string; exponent: string; decimal: string }

const nothing: ExactAmount = { minor: '', exponent: '', decimal: '' }

/**
 * An amount as integer minor units of ISO 4217, exponent and decimal, exactly. A currency without an exponent or
 * an amount that is no whole number of minor units gives the decimal alone, or nothing.
 */
export function writeExactAmount(
  amount: number | string | null,
  currency: string | null,
  unit: AmountUnit,
): ExactAmount {
  const millionths = readMillionths(amount)
  const exponent = currency === null ? undefined : currencyExponents.get(currency)
  if (millionths === null) return nothing
  // Without an exponent only whole units of the currency can be told; the unit of all else is a guess.
  if (exponent === undefined) return unit === 'major' ? { ...nothing, decimal: writeMillionths(millionths) } : nothing
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
