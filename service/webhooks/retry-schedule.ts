const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The waits before the second and later attempts (Standard Webhooks, "Deliverability and reliability"). */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** How many times a delivery is tried in all. */
export const mostAttempts = waits.length + 1

/** When to try again after `attempts` failures, up to a tenth later so that failures do not return in step; null to give up. `chance()` is from 0 to below 1. */
export function nextAttempt(attempts: number, now: Date, chance: () => number = Math.random): Date | null {
  const wait = waits[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + Math.round(wait * (1 + chance() / 10)))
}
