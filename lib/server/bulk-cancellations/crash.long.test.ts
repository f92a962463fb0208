import { expect, test } from 'vitest'
import { crashBulk, findFaults } from '../testing/crash/bulk-crash'

const hour = 3_600_000

test(
  'a bulk of 5,000 that is killed twenty times: each cancelled once, none lost, progress never back (BK-01)',
  async () => {
    const verdict = await crashBulk({ size: 5_000, kills: 24 })
    expect(findFaults(verdict, 5_000)).toEqual([])
    expect(verdict.kills).toBeGreaterThanOrEqual(20)
  },
  hour,
)
