import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrashCase, crashCases, CrashFixture } from '../testing/crash/crash-fixture'

let fixture: CrashFixture

beforeAll(async () => {
  fixture = await CrashFixture.start()
})

afterAll(() => fixture.close())

async function playTruly(crash: CrashCase): Promise<void> {
  const { rows, chain, deletes, isCancelled } = await fixture.run(crash)
  expect(rows.map(({ state, reason }) => [state, reason])).toEqual(crash.end ? [crash.end] : [])
  // Every reported outcome is true by the service's own record: cancelled if and only if it was cancelled, once.
  expect(isCancelled).toBe(crash.end?.[0] === 'cancelled')
  expect(deletes.filter(({ effective }) => effective)).toHaveLength(isCancelled ? 1 : 0)
  expect(deletes.length).toBeLessThanOrEqual(crash.most)
  // Every request had a committed intent.
  const early = deletes.filter(({ idempotencyKey, at }) => {
    const intent = rows.find(({ id }) => id === idempotencyKey)
    return !intent || Date.parse(intent.createdAt) > at
  })
  expect(early).toEqual([])
  expect(chain).toBe(true)
}

/** One run per failpoint, of the case that leaves most to the recovery; crash.long.test.ts runs all. */
describe.each(Object.entries(crashCases))('killed %s, the truth is told after the restart:', (_, cases) => {
  test.each(cases.slice(-1))('$name', playTruly, 180_000)
})
