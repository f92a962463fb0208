import { expect, test } from 'vitest'
import { MAX_ATTEMPTS, nextAttempt } from './delivery-outcome'

const now = new Date('2026-11-20T12:00:00Z')
const waits = (chance: () => number) => {
  const found: number[] = []
  for (let attempts = 1; ; attempts += 1) {
    const next = nextAttempt(attempts, now, chance)
    if (!next) return found
    found.push((next.getTime() - now.getTime()) / 1_000)
  }
}

test('retries after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, then gives up', () => {
  expect(waits(() => 0)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(MAX_ATTEMPTS).toBe(10)
})

test('spreads retries over a tenth of the wait', () => {
  expect(waits(() => 0.999)[1]).toBeCloseTo(300 * 1.0999, 1)
})
