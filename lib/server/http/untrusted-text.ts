const longest = 300

/**
 * Words of the service that may be shown: one line of plain text, at most 300 characters, or undefined.
 * What holds mark-up is not words for people and is left out whole.
 */
export function toPlainText(value: unknown): string | undefined {
  if (typeof value !== 'string' || /<[!/a-z]/iu.test(value)) return undefined
  const line = value.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  if (line === '') return undefined
  return (line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line).toWellFormed()
}
