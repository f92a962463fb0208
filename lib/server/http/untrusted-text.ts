const MAX_LENGTH = 300

/**
 * Text from the service that may be shown: one plain line of at most 300 characters, or undefined. Text with mark-up
 * is not meant for people and is dropped as a whole.
 */
export function toPlainText(value: unknown): string | undefined {
  if (typeof value !== 'string' || /<[!/a-z]/iu.test(value)) return undefined
  const line = value.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  if (line === '') return undefined
  return (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).trimEnd()}…` : line).toWellFormed()
}
