import { Failure } from '../failure'
import { limitRate } from '../limit-rate'
import * as refusals from '@/lib/words/refusals'

const HOUR_MS = 60 * 60_000
const RETRY_SECONDS = 5
/** Lists of a person that are made at a time, and within an hour: each reads up to all payments, and keeps what it found. */
export const MAX_LISTS_AT_A_TIME = 2
export const MAX_LISTS_PER_HOUR = 120

const hourly = {
  most: MAX_LISTS_PER_HOUR,
  windowMs: HOUR_MS,
  explain: (seconds: number) => refusals.mostListsInAnHour(MAX_LISTS_PER_HOUR, Math.ceil(seconds / 60)),
}

type Use = { begun: number[]; running: number }

declare global {
  /** The lists that each person has made of late, by user id; on globalThis because Next loads this module once per graph. */
  var debitdeskListUse: Map<string, Use> | undefined
}

/**
 * Counts a list that somebody has made, and answers what to call when it is made. Throws Failure 'too-many-attempts',
 * which says when there is room again.
 */
export function takeList(userId: string, now = Date.now()): () => void {
  const uses = (globalThis.debitdeskListUse ??= new Map<string, Use>())
  const use = uses.get(userId) ?? { begun: [], running: 0 }
  uses.set(userId, use)
  if (use.running >= MAX_LISTS_AT_A_TIME)
    throw new Failure('too-many-attempts', { retryAfter: RETRY_SECONDS, detail: refusals.otherListsAreMade })
  use.begun = limitRate(use.begun, hourly, now)
  use.running += 1
  return () => {
    use.running -= 1
  }
}
