import { afterEach, expect, test, vi } from 'vitest'
import { makeClock } from './clock'

afterEach(() => void vi.useRealTimers())

test.each([1, 60])(
  "at speed %i never runs backwards, and takes no part in what is done to the host's clock",
  (speed) => {
    const clock = makeClock({ speed })
    const before = clock.now().getTime()
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const moved of [-3_600_000, 3_600_000]) {
      vi.setSystemTime(before + moved)
      const after = clock.now().getTime()
      expect(after).toBeGreaterThanOrEqual(before)
      expect(after).toBeLessThan(before + 600_000)
      const wait = clock.realTimeUntil(new Date(before + 1_200_000))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(1_200_000 / speed)
    }
  },
)
