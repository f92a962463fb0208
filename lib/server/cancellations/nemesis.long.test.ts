import { expect, test } from 'vitest'
import { makeRandom, NemesisLane } from '../testing/nemesis/nemesis-lane'

const kills = 10

/** `npm run test:nemesis` runs three hundred; results in docs/reports/nemesis.md. */
test(`after ${kills} kills of two desks on one Postgres, with their clocks apart, pauses and broken connections, everything that was told is true`, {
  timeout: 600_000,
}, async () => {
  const seed = Date.now() % 1_000_000
  const lane = await NemesisLane.start(2, makeRandom(seed))
  while (lane.kills < kills) await lane.killOnce()
  const { violations, deletes } = await lane.finish()
  expect(violations, `seed ${seed}`).toEqual([])
  expect(deletes).toBeGreaterThan(0)
})
