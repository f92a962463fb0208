import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LedgerFixture } from '../testing/ledger-fixture'
import type { DeleteSwitch } from '../testing/payment-ledger-service'
import { settleLedger, shiftClock } from '../testing/test-ledger'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const slow = (headers: Record<string, string>): DeleteSwitch => ({
  effect: false,
  answer: { status: 429, headers, body: '' },
})

test('429 waits as the same intent as long as asked, then is sent', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, slow({ 'retry-after': '1' }))
  expect(view).toMatchObject({ outcome: 'sending', reason: 'slow-down', closed: false })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  const [first, second, ...more] = fixture.deletesOf(payment)
  expect(more).toEqual([])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  expect(second?.idempotencyKey).toBe(view.id)
})

test('429 is followed only through the guard', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, slow({}))
  fixture.service.change(payment.id, { status: 'Settled' })
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'too-late', attempts: 0 })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('429 without end is closed as not sent', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, ...Array.from({ length: 200 }, () => slow({})))
  await settleLedger(fixture.ledger, view.id, () => fixture.deletesOf(payment).length >= 3)
  const row = await settleLedger(shiftClock(fixture.ledger, 3_600_000), view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent', attempts: 0 })
})

test('429 waits on while the payment cannot be read', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, slow({}))
  fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
  const from = Date.now()
  await settleLedger(fixture.ledger, view.id, () => fixture.countReads(from) >= 3)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  fixture.service.mend()
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
})
