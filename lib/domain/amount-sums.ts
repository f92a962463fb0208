const scale = 6
const pattern = /^(-?)(0|[1-9]\d{0,24})(?:\.(\d{1,6}))?$/u

/**
 * An amount as whole millionths of its unit, exactly; null for one that cannot be read or was rounded by JSON
 * on its way.
 */
export function parseMillionths(amount: number | string | null): bigint | null {
  if (amount === null) return null
  if (typeof amount === 'number' && Number.isInteger(amount) && !Number.isSafeInteger(amount)) return null
  const match = pattern.exec(String(amount))
  if (!match) return null
  const [, sign = '', whole = '0', fraction = ''] = match
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`)
}

/** Millionths as a plain decimal such as "124500" or "-0.5". */
export function formatMillionths(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, -scale)
  const fraction = digits.slice(-scale).replace(/0+$/u, '')
  return `${millionths < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Tallies together: their payments, and the exact sum of their sums. */
export function sumTallies(tallies: readonly { count: number; sum: string }[]): { count: number; sum: string } {
  const millionths = tallies.reduce((total, { sum }) => total + (parseMillionths(sum) ?? 0n), 0n)
  return { count: tallies.reduce((total, { count }) => total + count, 0), sum: formatMillionths(millionths) }
}
