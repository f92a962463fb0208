import { expect, test } from 'vitest'
import { makeMonotonic } from './clock'

test("counts the time in which the machine slept, and takes no part in what is done to the host's clock", () => {
  let running = 500
  let up = 70_000
  const read = makeMonotonic(1_000_000, { running: () => running, up: () => up })
  expect(read()).toBe(1_000_500)
  running += 2_000
  up += 2
  expect(read()).toBe(1_002_500)
  // Suspended for an hour: the monotonic clock stood still.
  running += 100
  up += 3_600
  expect(read()).toBe(1_002_600 + 3_600_000 - 100)
  // Resumed, then suspended again for a minute.
  running += 60_000
  up += 60 + 60
  expect(read()).toBeGreaterThanOrEqual(1_062_600 + 3_660_000 - 1_000)
})

test('does not waver with an uptime that is told in whole steps', () => {
  let running = 0
  const read = makeMonotonic(0, { running: () => running, up: () => Math.floor(running / 900) * 0.9 })
  for (running = 0; running < 20_000; running += 37) expect(read()).toBe(running)
})
