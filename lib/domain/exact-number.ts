/** Longer than any number that a double holds exactly. */
const MAX_LENGTH = 400

/** The digits of a number in JSON, without zeros at either end, and the power of ten of the last. */
function normalize(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/iu.exec(raw) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/u, '')
  const kept = digits.replace(/0+$/u, '')
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

/** Whether a number in JSON stays what it is as a double: a whole one to its last digit (DC-03), any other one roughly. */
export function isExactNumber(raw: string): boolean {
  const number = Number(raw)
  if (!Number.isFinite(number)) return false
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true
  return raw.length <= MAX_LENGTH && normalize(raw) === normalize(String(number))
}

const MAX_SHOWN = 40

/** The first number of a JSON text that JSON.parse would round, shortened to be shown; null without one. */
export function findInexactNumber(json: string): string | null {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu) ?? []
  const found = tokens.find((token) => !token.startsWith('"') && !isExactNumber(token)) ?? null
  return found !== null && found.length > MAX_SHOWN ? `${found.slice(0, MAX_SHOWN)}…` : found
}
