import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity } from '../store/schema'
import { verifyChain } from '../activity-log/hash-chain'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { readRow, settleLedger } from '../testing/test-ledger'
import type { Ledger, Step } from './ledger'
import { requestCancellation } from './request-cancellation'

const day = 86_400_000
const lost = { effect: false, answer: { status: 500, headers: {}, body: '' } }
let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

/** Shifts the host's clock at a step; the monotonic clock continues. */
function jumpAt(step: Step, by: number): Ledger {
  let ahead = 0
  const { clock } = fixture.ledger
  return {
    ...fixture.ledger,
    clock: { ...clock, wall: () => new Date(Date.now() + ahead), host: () => new Date(Date.now() + ahead) },
    step: async (name) => {
      if (name === step) ahead = by
    },
  }
}

describe.each([
  ['a day ahead', day],
  ['a day back', -day],
  ['an hour back, as at the end of summer', -3_600_000],
])('a clock that is set %s (CX-30)', (_, by) => {
  test.each<Step>(['after-intent', 'after-sending', 'after-reply', 'during-read'])(
    'at the step %s changes nothing of what is done and when',
    async (step) => {
      const ledger = jumpAt(step, by)
      const payment = fixture.service.add()
      fixture.service.next(payment, lost)
      const { cancellation } = await requestCancellation(ledger, fixture.actor, askFor(payment))
      expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
      const [first, second, ...more] = fixture.deletesOf(payment)
      expect(more).toEqual([])
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(ledger.rules.graceMs)
      const row = await readRow(ledger, cancellation.id)
      expect(row.undecidedSince?.getTime()).toBeLessThanOrEqual(Date.now())
    },
  )

  test('while 429 is waited for, it waits as long and is sent', async () => {
    const ledger = jumpAt('after-reply', by)
    const payment = fixture.service.add()
    fixture.service.next(payment, { effect: false, answer: { status: 429, headers: { 'retry-after': '1' }, body: '' } })
    const { cancellation } = await requestCancellation(ledger, fixture.actor, askFor(payment))
    expect(await settleLedger(ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
    const [first, second] = fixture.deletesOf(payment)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })
})

test('the log keeps its order by sequence, whatever the moments say (CX-30)', async () => {
  const rows = await fixture.store.db.select().from(activity).orderBy(asc(activity.sequence))
  const moments = rows.map(({ at }) => at.getTime())
  expect(moments.some((at, index) => at < (moments[index - 1] ?? 0) - day / 2)).toBe(true)
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1))
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})
