/** The three forms of an HTTP date (RFC 9110 section 5.6.7); the last names no zone and means GMT. */
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/u,
]

// Date.parse alone takes almost anything for a date: "1.5" is the fifth of January 2001.
function parseDate(written: string): number {
  if (!dates.some((form) => form.test(written))) return Number.NaN
  return Date.parse(written.endsWith('GMT') ? written : `${written} GMT`)
}

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3: whole seconds or an HTTP date) as milliseconds from `now`, clamped
 * to `least` and `most`. Null for a missing or unreadable value; never NaN.
 */
function parseRetryAfter(
  header: string | undefined,
  { least, most, now }: { least: number; most: number; now: number },
): number | null {
  const written = header?.trim() ?? ''
  const wait = /^\d+$/u.test(written) ? Number(written) * 1_000 : parseDate(written) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, least), most)
}

/** Seconds to wait when the service asks to slow down and does not say for how long. */
const fallback = 5

/** `Retry-After` as people and browsers are told it: whole seconds from 0 to 60, five where it says nothing. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number {
  const wait = parseRetryAfter(header, { least: 0, most: 60_000, now })
  return wait === null ? fallback : Math.ceil(wait / 1_000)
}

/** `Retry-After` as the ledger follows it: milliseconds from one second to 15 minutes, null where it says nothing. */
export function readRetryDelay(header: string | undefined, now: Date): number | null {
  return parseRetryAfter(header, { least: 1_000, most: 15 * 60_000, now: now.getTime() })
}
