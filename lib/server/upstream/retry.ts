import { setTimeout as wait } from 'node:timers/promises'
import type { UpstreamReply } from './call-upstream'
import type { RetryBudget } from './upstream-state'

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
function parseHeader(
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
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number {
  const wait = parseHeader(header, { least: 0, most: 60_000, now })
  return wait === null ? fallback : Math.ceil(wait / 1_000)
}

/** `Retry-After` as the ledger follows it: milliseconds from one second to 15 minutes, null where it says nothing. */
export function retryDelayMs(header: string | undefined, now: Date): number | null {
  return parseHeader(header, { least: 1_000, most: 15 * 60_000, now: now.getTime() })
}

type Options = {
  budget: RetryBudget
  /** Milliseconds for everything together. */
  deadline: number
  signal?: AbortSignal | undefined
  /** For tests: from 0 to 1. */
  random?: () => number
}

const most = 3
const second = 1_000

/**
 * Asks a read again that was answered 429 without a word on how long to wait: up to three times in all, after
 * at most 1 s and 2 s by chance, so that many who were refused together do not come back together, and within the
 * budget. Where the service says how long, nobody asks before: the 429 is passed on. Throws what `ask` throws.
 */
export async function retryOnRateLimit(
  ask: (deadline: number) => Promise<UpstreamReply>,
  { budget, deadline, signal, random = Math.random }: Options,
): Promise<UpstreamReply> {
  const began = performance.now()
  for (let tries = 1; ; tries += 1) {
    const reply = await ask(Math.max(1, deadline - (performance.now() - began)))
    if (reply.status !== 429 || reply.headers['retry-after'] !== undefined || tries === most) return reply
    const pause = random() * second * 2 ** (tries - 1)
    if (performance.now() - began + pause > deadline || signal?.aborted || !budget.take()) return reply
    const isOver = await wait(pause, false, signal && { signal }).catch(() => true)
    if (isOver) return reply
  }
}
