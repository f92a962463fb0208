import { beforeEach, describe, expect, test } from 'vitest'
import { RateLimiter } from './rate-limiter'

let now = 0
let pace: RateLimiter
/** When the last request was allowed. */
let allowedAt = 0

beforeEach(() => {
  now = 0
  allowedAt = 0
  pace = new RateLimiter(() => now)
})

/** Starts as many as allowed and ends them all after `latency` ms. */
function round(latency: number, kind: 'served' | 'slow-down' | 'failed' = 'served', wait?: number): number {
  const begun: number[] = []
  while (pace.delay() === 0) begun.push(pace.start())
  now += latency
  for (const began of begun) pace.end({ kind, latency, startedAt: began, ...(wait !== undefined && { wait }) })
  return begun.length
}

describe('the pace of a bulk', () => {
  test('goes up to eight at once at a quick service, and not further', () => {
    for (let step = 0; step < 40; step += 1) round(20)
    expect(round(20)).toBe(8)
  })

  test('falls when the service becomes slow, to one at a time at last, and rises again', () => {
    for (let step = 0; step < 40; step += 1) round(20)
    for (let step = 0; step < 5; step += 1) round(400)
    expect(pace.limit).toBeLessThan(4)
    for (let step = 0; step < 20; step += 1) round(400)
    expect(pace.limit).toBe(1)
    for (let step = 0; step < 60; step += 1) round(20)
    expect(pace.limit).toBe(8)
  })

  test('begins nothing before the moment that the service named, then goes at half', () => {
    for (let step = 0; step < 40; step += 1) round(20)
    round(20, 'slow-down', 3_000)
    expect(pace.delay()).toBeGreaterThanOrEqual(2_999)
    expect(pace.limit).toBe(4)
    now += 2_999
    expect(pace.delay()).toBe(1)
    now += 1
    expect(pace.delay()).toBe(0)
  })

  test('waits longer each time where the service names no moment, at most half a minute', () => {
    const waits = Array.from({ length: 9 }, () => {
      round(20, 'failed')
      const wait = pace.delay()
      now += wait
      return wait
    })
    expect(waits.toSorted((one, other) => one - other)).toEqual(waits)
    expect(waits[0]).toBe(1_000)
    expect(waits.at(-1)).toBe(30_000)
  })

  test('finds the rate of a service that allows ten a second, and keeps below it', () => {
    const served: number[] = []
    let refused = 0
    // A window of one second.
    const allow = () => {
      const window = Math.floor(now / 1_000)
      if (served.filter((at) => Math.floor(at / 1_000) === window).length >= 10) return false
      served.push(now)
      return true
    }
    while (now < 120_000) {
      const delay = pace.delay()
      if (delay > 0) {
        now += Math.min(delay, 100)
        continue
      }
      const began = pace.start()
      const isAllowed = allow()
      if (!isAllowed) refused += 1
      now += 5
      const left = 1_000 - (now % 1_000)
      pace.end({ kind: isAllowed ? 'served' : 'slow-down', latency: 5, startedAt: began, wait: left })
    }
    expect(served.length).toBeGreaterThan(500)
    expect(refused).toBeLessThan(served.length / 10)
  })

  test('knows about how many it sends in a minute', () => {
    expect(pace.countWithin(60_000)).toBe(Number.POSITIVE_INFINITY)
    for (let step = 0; step < 40; step += 1) round(20)
    expect(pace.countWithin(60_000)).toBeGreaterThan(1_000)
    // A service that allows one a second.
    for (let step = 0; step < 60; step += 1) {
      now += pace.delay()
      const startedAt = pace.start()
      const isAllowed = now - allowedAt >= 1_000
      if (isAllowed) allowedAt = now
      now += 20
      pace.end({ kind: isAllowed ? 'served' : 'slow-down', latency: 20, startedAt, ...(!isAllowed && { wait: 1_000 }) })
    }
    expect(pace.countWithin(60_000)).toBeLessThan(120)
    expect(pace.countWithin(60_000)).toBeGreaterThan(20)
  })
})
