import { Failure } from './failure'

const window = 60_000

declare global {
  /** When each of the latest requests of a kind came, in milliseconds; one per process. */
  var debitdeskRates: Map<string, number[]> | undefined
}

/** Lets pass at most `most` of `kind` a minute. Throws Failure 'too-many-attempts', which says when to try again. */
export function limitPerMinute(kind: string, most: number, now = Date.now()): void {
  const rates = (globalThis.debitdeskRates ??= new Map<string, number[]>())
  const recent = (rates.get(kind) ?? []).filter((at) => at > now - window)
  rates.set(kind, recent)
  if (recent.length >= most)
    throw new Failure('too-many-attempts', { retryAfter: Math.ceil(((recent[0] ?? now) + window - now) / 1_000) })
  recent.push(now)
}
