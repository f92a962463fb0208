const longest = 15 * 60_000

/**
 * Reads a Retry-After header (RFC 9110, section 10.2.3: seconds or a date) as milliseconds from `now`, from
 * one second to 15 minutes; null for a missing or senseless one.
 */
export function readRetryDelay(header: string | undefined, now: Date): number | null {
  const value = header?.trim() ?? ''
  if (value === '') return null
  const milliseconds = /^\d+$/u.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime()
  if (Number.isNaN(milliseconds)) return null
  return Math.min(Math.max(milliseconds, 1_000), longest)
}
