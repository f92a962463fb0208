/** Any number of so many digits is kept, with an exponent that a double has. */
const plain = /^[-.\d]{1,15}(?:e[+-]?\d{1,2})?$/iu

/** Longer than any whole number that a double says with the same digits. */
const MAX_LENGTH = 400

/** A number in one spelling: its digits without zeros at either end, and the power of ten of the last. */
function normalize(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(raw) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/u, '')
  const kept = digits.replace(/0+$/u, '')
  return kept === '' ? '0' : `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

/**
 * Whether a number in JSON or in a filter is kept as a double (DC-03): where the double is whole, as exactly the same number,
 * else as the nearest. `9007199254740993` and `1e400` are not, `0.10000000000000001` is.
 */
export function isExactNumber(raw: string): boolean {
  if (plain.test(raw)) return true
  const number = Number(raw)
  if (!Number.isFinite(number)) return false
  return !Number.isInteger(number) || (raw.length <= MAX_LENGTH && normalize(raw) === normalize(String(number)))
}
