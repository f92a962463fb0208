import { Failure } from '../failure'
import * as refusals from '@/lib/words/refusals'

const HOUR_MS = 60 * 60_000
const RETRY_SECONDS = 5
/** Lists of a person that are made at a time, and within an hour: each reads up to all payments, and keeps what it found. */
export const MAX_LISTS_AT_A_TIME = 2
export const MAX_LISTS_PER_HOUR = 120

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
  use.begun = use.begun.filter((at) => at > now - HOUR_MS)
  if (use.running >= MAX_LISTS_AT_A_TIME)
    throw new Failure('too-many-attempts', { retryAfter: RETRY_SECONDS, detail: refusals.otherListsAreMade })
  const [oldest = now] = use.begun
  if (use.begun.length >= MAX_LISTS_PER_HOUR) {
    const retryAfter = Math.ceil((oldest + HOUR_MS - now) / 1_000)
    const detail = refusals.mostListsInAnHour(MAX_LISTS_PER_HOUR, Math.ceil(retryAfter / 60))
    throw new Failure('too-many-attempts', { retryAfter, detail })
  }
  use.begun.push(now)
  use.running += 1
  return () => {
    use.running -= 1
  }
}
