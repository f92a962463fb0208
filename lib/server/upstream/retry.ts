import { setTimeout as wait } from 'node:timers/promises'
import type { UpstreamReply } from './call-upstream'
import type { RetryBudget } from './upstream-state'

/** The three forms of an HTTP date (RFC 9110 section 5.6.7); the last names no zone and means GMT. */
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/u,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/u,
]

// Date.parse alone accepts almost anything: "1.5" becomes 5 January 2001.
function parseDate(written: string): number {
  if (!dates.some((form) => form.test(written))) return Number.NaN
  return Date.parse(written.endsWith('GMT') ? written : `${written} GMT`)
}

type Headers = UpstreamReply['headers']

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3: whole seconds or an HTTP date) as milliseconds from now, clamped to the
 * given range. A date is measured from the reply's own `Date`, because the service's clock may differ from ours, or
 * else from `now`. Null for a missing or unreadable value; never NaN.
 */
function parseRetryAfter(
  headers: Headers,
  { least: min, most: max, now }: { least: number; most: number; now: number },
): number | null {
  const written = headers['retry-after']?.trim() ?? ''
  const sentAt = parseDate(headers.date?.trim() ?? '')
  const from = Number.isNaN(sentAt) ? now : sentAt
  const wait = /^\d+$/u.test(written) ? Number(written) * 1_000 : parseDate(written) - from
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, min), max)
}

/** Used when the service asks to slow down without saying for how long. */
const DEFAULT_RETRY_AFTER_S = 5

/** `Retry-After` for people and browsers: whole seconds from 0 to 60, five when missing. */
export function retryAfterSeconds(headers: Headers, now = Date.now()): number {
  const wait = parseRetryAfter(headers, { least: 0, most: 60_000, now })
  return wait === null ? DEFAULT_RETRY_AFTER_S : Math.ceil(wait / 1_000)
}

/** `Retry-After` for the ledger: milliseconds from one second to 15 minutes, null when missing. */
export function retryDelayMs(headers: Headers, now: Date): number | null {
  return parseRetryAfter(headers, { least: 1_000, most: 15 * 60_000, now: now.getTime() })
}

type Options = {
  budget: RetryBudget
  /** Milliseconds for all attempts together. */
  deadline: number
  signal?: AbortSignal | undefined
  /** Injected by tests; from 0 to 1. */
  random?: () => number
}

const MAX_ATTEMPTS = 3
const SECOND_MS = 1_000

/**
 * Retries a read answered 429 without Retry-After: up to three attempts, after random delays of at most 1 s and 2 s so
 * that clients refused together don't return together, within the retry budget. A 429 with Retry-After is passed on.
 * Throws what `send` throws.
 */
export async function retryOnRateLimit(
  send: (deadline: number) => Promise<UpstreamReply>,
  { budget, deadline, signal, random = Math.random }: Options,
): Promise<UpstreamReply> {
  const began = performance.now()
  for (let tries = 1; ; tries += 1) {
    const reply = await send(Math.max(1, deadline - (performance.now() - began)))
    if (reply.status !== 429 || reply.headers['retry-after'] !== undefined || tries === MAX_ATTEMPTS) return reply
    const pause = random() * SECOND_MS * 2 ** (tries - 1)
    if (performance.now() - began + pause > deadline || signal?.aborted || !budget.take()) return reply
    const isAborted = await wait(pause, false, signal && { signal }).catch(() => true)
    if (isAborted) return reply
  }
}
