import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LedgerFixture, problemAnswer } from '../testing/ledger-fixture'
import { settleLedger, shiftClock } from '../testing/test-ledger'
import { runWorker } from './worker'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const definite = [400, 401, 403, 404, 406, 409, 410, 412, 415, 422, 451]
const formal = [415]

test.each(definite)(
  '%i and unchanged: not cancelled, in the words of the service, never sent again',
  async (status) => {
    const payment = fixture.service.add()
    const view = await fixture.cancel(payment, problemAnswer(status))
    const row = await settleLedger(fixture.ledger, view.id)
    expect(row).toMatchObject({
      state: 'not-cancelled',
      outcomeReason: status === 401 || status === 403 ? 'refused' : 'service-declined',
      // A 401 concerns the credential of the desk.
      detail: status === 401 ? null : `Words of ${status}`,
    })
    const [sent, ...more] = fixture.deletesOf(payment)
    expect(more).toEqual([])
    expect(fixture.countReads(sent?.at ?? 0)).toBeGreaterThanOrEqual(2)
    const took = (row.closedAt?.getTime() ?? 0) - (sent?.at ?? 0)
    expect(took).toBeGreaterThanOrEqual(formal.includes(status) ? 0 : fixture.ledger.rules.graceMs)
  },
)

test.each(definite)('%i, and it settled meanwhile: too late', async (status) => {
  const payment = fixture.service.add()
  const settle = () => fixture.service.change(payment.id, { status: 'Settled' })
  const view = await fixture.cancel(payment, { ...problemAnswer(status), before: settle })
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'too-late', detail: 'Settled' })
})

test.each(definite)('%i, and it is cancelled: cancelled', async (status) => {
  const payment = fixture.service.add()
  const cancel = () => fixture.service.change(payment.id, { status: 'Cancelled' })
  const view = await fixture.cancel(payment, { ...problemAnswer(status), before: cancel })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
})

test.each(definite)('%i, and it is in no list any more: a person', async (status) => {
  const payment = fixture.service.add()
  fixture.service.lists.show = (shown) =>
    fixture.deletesOf(payment).length > 0 && shown.id === payment.id ? null : shown
  const view = await fixture.cancel(payment, problemAnswer(status))
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'needs-person', outcomeReason: 'absent' })
})

test.each([400, 403, 409])(
  '%i to a request that somebody on the way has doubled: cancelled, though it takes effect late',
  async (status) => {
    const payment = fixture.service.add()
    fixture.service.cancelDelay = 150
    // The first of the two was accepted; the desk sees the reply to the second.
    const view = await fixture.cancel(payment, { ...problemAnswer(status), effect: true })
    expect(view).toMatchObject({ outcome: 'unknown', closed: false, reason: 'declined', detail: `Words of ${status}` })
    expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled', outcomeReason: null })
  },
)

test('a refusal for its form is known before the dialog is answered', async () => {
  const payment = fixture.service.add()
  fixture.ledger.rules.pollIntervalMs = 100
  const worker = await runWorker(fixture.ledger)
  const view = await fixture.cancel(payment, problemAnswer(415))
  await worker.stop()
  expect(view).toMatchObject({
    outcome: 'not-cancelled',
    reason: 'service-declined',
    detail: 'Words of 415',
    closed: true,
  })
})

test('409 while the payment was handed over: not cancelled, for a state that cannot be', async () => {
  const payment = fixture.service.add()
  const handOver = () => fixture.service.change(payment.id, { status: ' Scheduled' })
  const view = await fixture.cancel(payment, { ...problemAnswer(409), before: handOver })
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-cancellable', detail: 'Scheduled' })
  const [sent, ...more] = fixture.deletesOf(payment)
  expect(more).toEqual([])
  expect(fixture.countReads((sent?.at ?? 0) + fixture.ledger.rules.graceMs)).toBeGreaterThanOrEqual(2)
})

test('409 while the payment is in a state of no list: read on, not closed, and cancelled once a read says so', async () => {
  const payment = fixture.service.add()
  const leave = () => fixture.service.change(payment.id, { status: 'Cancelling' })
  const view = await fixture.cancel(payment, { ...problemAnswer(409), before: leave })
  const read = await settleLedger(fixture.ledger, view.id, ({ agreeingReads }) => agreeingReads >= 2)
  expect(read).toMatchObject({ state: 'declined', closedAt: null })
  fixture.service.change(payment.id, { status: 'Cancelled' })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('409, and the state of no list stays: a person, who is told the words of the service', async () => {
  const payment = fixture.service.add()
  const leave = () => fixture.service.change(payment.id, { status: 'Cancelling' })
  const view = await fixture.cancel(payment, { ...problemAnswer(409), before: leave })
  await settleLedger(fixture.ledger, view.id, ({ agreeingReads }) => agreeingReads >= 2)
  expect(await settleLedger(shiftClock(fixture.ledger, fixture.ledger.rules.reviewAfterMs), view.id)).toMatchObject({
    state: 'needs-person',
    outcomeReason: 'declined-unconfirmed',
    detail: 'Words of 409',
  })
})
