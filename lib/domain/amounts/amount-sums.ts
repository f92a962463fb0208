const SCALE = 6
const pattern = /^(-?)(0|[1-9]\d{0,24})(?:\.(\d{1,6}))?$/u

/** An amount as whole millionths of its unit, exactly; null if it cannot be parsed or was rounded by JSON. */
export function parseMillionths(amount: number | string | null): bigint | null {
  if (amount === null) return null
  if (typeof amount === 'number' && Number.isInteger(amount) && !Number.isSafeInteger(amount)) return null
  const match = pattern.exec(String(amount))
  if (!match) return null
  const [, sign = '', whole = '0', fraction = ''] = match
  return BigInt(`${sign}${whole}${fraction.padEnd(SCALE, '0')}`)
}

/** Millionths as a plain decimal such as "124500" or "-0.5". */
export function formatMillionths(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(SCALE + 1, '0')
  const whole = digits.slice(0, -SCALE)
  const fraction = digits.slice(-SCALE).replace(/0+$/u, '')
  return `${millionths < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Adds up counts and, exactly, sums. */
export function sumTallies(tallies: readonly { count: number; sum: string }[]): { count: number; sum: string } {
  const millionths = tallies.reduce((total, { sum }) => total + (parseMillionths(sum) ?? 0n), 0n)
  return { count: tallies.reduce((total, { count }) => total + count, 0), sum: formatMillionths(millionths) }
}
