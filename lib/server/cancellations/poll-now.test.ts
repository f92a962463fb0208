import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { readRow, settleLedger } from '../testing/test-ledger'
import { pollNow } from './manual-review'
import { runPass } from './worker'
import { requestCancellation } from './request-cancellation'

let bench: LedgerFixture

beforeAll(async () => {
  bench = await LedgerFixture.start()
})

beforeEach(() => bench.reset())

afterAll(() => bench.close())

const tell = (paymentId: string) => pollNow(bench.ledger, paymentId)

test('told before it is so, twice, or of what is no cancellation of ours: it is read, and nothing else (CX-31)', async () => {
  const payment = bench.service.add()
  const other = bench.service.add()
  bench.service.cancelDelay = 60_000
  const { cancellation } = await requestCancellation(bench.ledger, bench.actor, askFor(payment))
  for (const id of [payment.id, payment.id.toUpperCase(), other.id, 'not-a-payment']) await tell(id)
  await (await runPass(bench.ledger)).work
  expect(await readRow(bench.ledger, cancellation.id)).toMatchObject({ state: 'accepted', closedAt: null })
  expect(bench.deletesOf(payment)).toHaveLength(1)
  expect(bench.deletesOf(other)).toEqual([])
  bench.service.change(payment.id, { status: 'Cancelled' })
  await tell(payment.id)
  expect(await settleLedger(bench.ledger, cancellation.id)).toMatchObject({ state: 'cancelled' })
})

test('told of an unknown one within its grace: it is not sent again any earlier (CX-31)', async () => {
  const payment = bench.service.add()
  const view = await bench.cancel(payment, { effect: false, answer: { status: 500, headers: {}, body: '' } })
  for (let time = 0; time < 5; time += 1) {
    await tell(payment.id)
    await (await runPass(bench.ledger)).work
  }
  await settleLedger(bench.ledger, view.id)
  const [first, second, ...more] = bench.deletesOf(payment)
  expect(more).toEqual([])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(bench.ledger.rules.grace)
})

test('never told: it ends all the same (CX-31)', async () => {
  const payment = bench.service.add()
  const view = await bench.cancel(payment)
  expect(await settleLedger(bench.ledger, view.id)).toMatchObject({ state: 'cancelled' })
})
