import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { readRow, settleLedger } from '../testing/test-ledger'
import { pollNow } from './manual-review'
import { runPass } from './worker'
import { requestCancellation } from './request-cancellation'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const tell = (paymentId: string) => pollNow(fixture.ledger, paymentId)

test('told before it is so, twice, or of what is no cancellation of ours: it is read, and nothing else (CX-31)', async () => {
  const payment = fixture.service.add()
  const other = fixture.service.add()
  fixture.service.cancelDelay = 60_000
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment))
  for (const id of [payment.id, payment.id.toUpperCase(), other.id, 'not-a-payment']) await tell(id)
  await (await runPass(fixture.ledger)).work
  expect(await readRow(fixture.ledger, cancellation.id)).toMatchObject({ state: 'accepted', closedAt: null })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  expect(fixture.deletesOf(other)).toEqual([])
  fixture.service.change(payment.id, { status: 'Cancelled' })
  await tell(payment.id)
  expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({ state: 'cancelled' })
})

test('told of an unknown one within its grace: it is not sent again any earlier (CX-31)', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: false, answer: { status: 500, headers: {}, body: '' } })
  for (let time = 0; time < 5; time += 1) {
    await tell(payment.id)
    await (await runPass(fixture.ledger)).work
  }
  await settleLedger(fixture.ledger, view.id)
  const [first, second, ...more] = fixture.deletesOf(payment)
  expect(more).toEqual([])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(fixture.ledger.rules.graceMs)
})

test('never told: it ends all the same (CX-31)', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment)
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
})
