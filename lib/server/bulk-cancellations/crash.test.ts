import { expect, test } from 'vitest'
import { crashBulk, findFaults } from '../testing/crash/bulk-crash'

test('a bulk of 200 that is killed three times: each cancelled once, none lost, progress never back (BK-01)', async () => {
  const verdict = await crashBulk({ size: 200, kills: 3 })
  expect(findFaults(verdict, 200)).toEqual([])
  expect(verdict.kills).toBeGreaterThanOrEqual(2)
}, 300_000)
