/** What is waited when the service asks to slow down and does not say for how long, in seconds. */
const fallback = 5
const longest = 60

/** The three forms of an HTTP date (RFC 9110 section 5.6.7); the last says no zone and means GMT. */
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/u,
]

function readDate(written: string): number {
  if (!dates.some((form) => form.test(written))) return Number.NaN
  return Date.parse(written.endsWith('GMT') ? written : `${written} GMT`)
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3: whole seconds or an HTTP date) as whole seconds from 0 to 60.
 * A missing or unreadable value is 5; never NaN.
 */
export function readRetryAfter(value: string | undefined, now = Date.now()): number {
  const written = value?.trim() ?? ''
  const seconds = /^\d+$/u.test(written) ? Number(written) : Math.ceil((readDate(written) - now) / 1000)
  return Number.isNaN(seconds) ? fallback : Math.min(longest, Math.max(0, seconds))
}
