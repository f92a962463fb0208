/** What is waited when the service asks to slow down and does not say for how long, in seconds. */
const fallback = 5
const longest = 60

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3: whole seconds or an HTTP date) as whole seconds from 0 to 60.
 * A missing or unreadable value is 5; never NaN.
 */
export function readRetryAfter(value: string | undefined, now = Date.now()): number {
  const written = value?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u.test(written)
  const seconds = /^\d+$/u.test(written)
    ? Number(written)
    : isDate
      ? Math.ceil((Date.parse(written) - now) / 1000)
      : Number.NaN
  return Number.isNaN(seconds) ? fallback : Math.min(longest, Math.max(0, seconds))
}
