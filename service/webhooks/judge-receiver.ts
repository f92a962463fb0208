import type { Attempt } from './send-delivery'

const day = 86_400_000

/** A receiver that has taken nothing for this long is given up, in milliseconds. */
export const longestFailing = 3 * day

/** With these a receiver may ask to be left alone (Standard Webhooks, "Throttling"). */
const throttling = new Set([429, 502, 503, 504])
/** What 429 means where it does not say how long, in milliseconds. */
const usualPause = 60_000

function readRetryAfter(text: string, now: Date): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1_000
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? 0 : moment - now.getTime()
}

/** Until when a receiver asks to be left alone, a day at most; null when it does not. */
export function readPause({ status, retryAfter }: Attempt, now: Date): Date | null {
  if (status === null || !throttling.has(status)) return null
  const asked = retryAfter === undefined ? 0 : readRetryAfter(retryAfter, now)
  const pause = asked > 0 ? Math.min(asked, day) : status === 429 ? usualPause : 0
  return pause > 0 ? new Date(now.getTime() + pause) : null
}

/** Why a subscription is to end after an attempt: `gone` when the receiver says so (410), `failing` when nothing has succeeded for days; else null. */
export function judgeReceiver(
  { delivered, status }: Attempt,
  failingSince: Date | null,
  now: Date,
): 'gone' | 'failing' | null {
  if (status === 410) return 'gone'
  if (delivered || failingSince === null) return null
  return now.getTime() - failingSince.getTime() >= longestFailing ? 'failing' : null
}
