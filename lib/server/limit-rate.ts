import { Failure } from './failure'

const MINUTE_MS = 60_000

declare global {
  /** When each of the latest requests of a kind came, in milliseconds; one per process. */
  var debitdeskRates: Map<string, number[]> | undefined
}

type Rate = {
  most: number
  windowMs: number
  /** What the refusal says; it is given the seconds until there is room. */
  explain?: (retryAfter: number) => string
}

/**
 * Lets one more pass beside the `recent` ones, moments in milliseconds, and answers all that count from now on. Throws Failure
 * 'too-many-attempts', which says when there is room again.
 */
export function limitRate(recent: readonly number[], { most, windowMs, explain }: Rate, now: number): number[] {
  const counted = recent.filter((at) => at > now - windowMs)
  if (counted.length >= most) {
    const retryAfter = Math.ceil(((counted[0] ?? now) + windowMs - now) / 1_000)
    throw new Failure('too-many-attempts', { retryAfter, ...(explain && { detail: explain(retryAfter) }) })
  }
  return [...counted, now]
}

/** Lets pass at most `most` of `kind` a minute. Throws as limitRate does. */
export function limitPerMinute(kind: string, most: number, now = Date.now()): void {
  const rates = (globalThis.debitdeskRates ??= new Map<string, number[]>())
  rates.set(kind, limitRate(rates.get(kind) ?? [], { most, windowMs: MINUTE_MS }, now))
}
