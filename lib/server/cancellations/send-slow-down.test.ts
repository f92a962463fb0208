import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connections } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import type { DeleteSwitch } from '../testing/payment-ledger-service'
import { settleLedger, shiftClock } from '../testing/test-ledger'
import { requestCancellation, toCancellationResponse } from './request-cancellation'
import { runPass } from './worker'

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

test('429 is waited for by the clock of the provider, which may be another', async () => {
  const payment = fixture.service.add()
  const theirs = (ahead: number) => new Date(Date.now() + 3_600_000 + ahead).toUTCString()
  const view = await fixture.cancel(payment, slow({ date: theirs(0), 'retry-after': theirs(1_000) }))
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
})

test('429 that asks for longer than an outcome may stay open is told at once, and nothing is sent again', async () => {
  const rules = { ...fixture.ledger.rules, reviewAfterMs: 14 * 60_000 }
  fixture.ledger = { ...fixture.ledger, rules }
  const [patient, hurried] = [fixture.service.add(), fixture.service.add()]
  const waiting = await fixture.cancel(patient, slow({ 'retry-after': '780' }))
  expect(waiting).toMatchObject({ outcome: 'sending', reason: 'slow-down', closed: false })
  const view = await fixture.cancel(hurried, slow({ 'retry-after': '1200' }))
  expect(view).toMatchObject({ outcome: 'not-cancelled', reason: 'asked-to-wait', closed: true })
  const due = await settleLedger(shiftClock(fixture.ledger, 781_000), waiting.id)
  expect(due).toMatchObject({ state: 'cancelled' })
  expect([fixture.deletesOf(patient), fixture.deletesOf(hurried)].map(({ length }) => length)).toEqual([2, 1])
})

test('429 that asks for nothing is not told as asking for long, however little time is left', async () => {
  const rules = { ...fixture.ledger.rules, reviewAfterMs: 1 }
  fixture.ledger = { ...fixture.ledger, rules }
  const view = await fixture.cancel(fixture.service.add(), slow({}))
  expect(view).toMatchObject({ outcome: 'sending', reason: 'slow-down', closed: false })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'not-sent',
  })
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

const refuseReads = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' })

/** A cancellation that waits as its request was slowed down. */
async function requestSlowed(unread: boolean) {
  const payment = fixture.service.add()
  fixture.service.next(payment, slow({}))
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, askFor(payment, { unread }))
  return { payment, id: cancellation.id }
}

test('an intent that waits asks for its payment no more often than the list allows (UP-07)', async () => {
  const { payment, id } = await requestSlowed(false)
  fixture.service.lists.answer = refuseReads
  const from = Date.now()
  const isPutOff = ({ dueAt }: { dueAt: Date | null }) => (dueAt?.getTime() ?? 0) > from + 3_000
  const row = await settleLedger(fixture.ledger, id, isPutOff)
  expect(row).toMatchObject({ state: 'waiting' })
  // Another desk, which was asked for nothing, may take it soon.
  expect(row.dueAt?.getTime()).toBeLessThan(Date.now() + 6_000)
  const soon = shiftClock(fixture.ledger, 10_000)
  expect(await settleLedger(soon, id, ({ dueAt }) => (dueAt?.getTime() ?? 0) > from + 10_000)).toMatchObject({
    state: 'waiting',
  })
  expect(fixture.countReads(from)).toBe(1)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  fixture.service.mend()
  expect(await settleLedger(shiftClock(fixture.ledger, 61_000), id)).toMatchObject({ state: 'cancelled' })
})

test('an intent to be sent unread waits as long as an earlier 429 asked, and is sent though its own read is refused (UP-07)', async () => {
  const { payment, id } = await requestSlowed(true)
  const { memory, clock } = fixture.ledger
  memory.hold(clock.now().getTime() + 60_000)
  fixture.service.lists.answer = refuseReads
  const from = Date.now()
  await settleLedger(fixture.ledger, id, ({ dueAt }) => (dueAt?.getTime() ?? 0) > from + 3_000)
  expect(fixture.countReads(from)).toBe(0)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  await settleLedger(shiftClock(fixture.ledger, 61_000), id, ({ state }) => state === 'accepted')
  expect(fixture.countReads(from)).toBe(1)
  expect(fixture.deletesOf(payment)).toHaveLength(2)
})

test('an intent that waits is not kept waiting where reads are to wait longer than it may stay open', async () => {
  const { payment, id } = await requestSlowed(false)
  const { memory, clock, rules } = fixture.ledger
  memory.hold(clock.now().getTime() + rules.reviewAfterMs)
  expect(await settleLedger(fixture.ledger, id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'asked-to-wait',
  })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

const makeScript = () => ({ ...fixture.actor, apiToken: { id: 'a-token', name: 'Nightly' } })

/** The upstream API has asked to wait for this long, in ms. */
function holdFor(milliseconds: number): void {
  fixture.ledger.memory.hold(fixture.ledger.clock.now().getTime() + milliseconds)
}

test('a script asks for no payment before that time, a person does (UP-07)', async () => {
  holdFor(60_000)
  const [payment, other, from] = [fixture.service.add(), fixture.service.add(), Date.now()]
  const asked = askFor(payment)
  const reply = await requestCancellation(fixture.ledger, makeScript(), asked)
  const { cancellation } = reply
  expect(cancellation).toMatchObject({ outcome: 'sending', reason: 'slow-down', closed: false })
  expect(toCancellationResponse(reply).headers.get('retry-after')).toBe('60')
  expect(fixture.countReads(from)).toBe(0)
  expect(await fixture.cancel(other)).toMatchObject({ outcome: 'requested' })
  expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect((await requestCancellation(fixture.ledger, makeScript(), asked)).replayed).toBe(true)
})

test('a person whose read is told to wait may confirm that it is sent unread, and until then nothing is', async () => {
  const payment = fixture.service.add()
  fixture.service.lists.answer = refuseReads
  await expect(requestCancellation(fixture.ledger, fixture.actor, askFor(payment))).rejects.toMatchObject({
    code: 'confirmation-needed',
    evidence: { detail: 'Nothing was sent. The provider asked us to wait another minute.' },
  })
  await runPass(shiftClock(fixture.ledger, 61_000))
  expect(fixture.deletesOf(payment)).toHaveLength(0)
  const unread = askFor(payment, { unread: true })
  const { cancellation } = await requestCancellation(fixture.ledger, fixture.actor, unread)
  expect(cancellation).toMatchObject({ outcome: 'requested' })
})

test('what waits as the same intent is sent only through the guard', async () => {
  holdFor(60_000)
  const view = (await requestCancellation(fixture.ledger, makeScript(), askFor(fixture.service.add()))).cancellation
  fixture.service.change(view.paymentId, { amount: 7 })
  const row = await settleLedger(shiftClock(fixture.ledger, 61_000), view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'changed', attempts: 0 })
})

test('where that is later than a cancellation may stay open, it is told at once and again under the same key', async () => {
  holdFor(fixture.ledger.rules.reviewAfterMs)
  const asked = askFor(fixture.service.add())
  const ended = { outcome: 'not-cancelled', reason: 'asked-to-wait', closed: true }
  for (const replayed of [false, true])
    expect(await requestCancellation(fixture.ledger, makeScript(), asked)).toMatchObject({
      cancellation: ended,
      replayed,
    })
})

test('whether a script may cancel by its amount is not guessed meanwhile', async () => {
  const approval = { everyBulk: false, limits: [{ currency: 'DKK', amount: '1000000' }], hours: 1 }
  await fixture.store.db.update(connections).set({ approval })
  holdFor(60_000)
  const asked = askFor(fixture.service.add(), { seen: null })
  await expect(requestCancellation(fixture.ledger, makeScript(), asked)).rejects.toMatchObject({
    code: 'upstream-slow-down',
    evidence: { retryAfter: 60 },
  })
  await fixture.store.db.update(connections).set({ approval: null })
})

test('a repeated key is answered without asking for the payment, whose amount was judged', async () => {
  const approval = { everyBulk: false, limits: [{ currency: 'DKK', amount: '1000000' }], hours: 1 }
  await fixture.store.db.update(connections).set({ approval })
  const asked = askFor(fixture.service.add({ amount: 100 }), { seen: null })
  await requestCancellation(fixture.ledger, makeScript(), asked)
  holdFor(60_000)
  expect(await requestCancellation(fixture.ledger, makeScript(), asked)).toMatchObject({ replayed: true })
  await fixture.store.db.update(connections).set({ approval: null })
})

test('what waits is not sent for somebody who may not cancel any more', async () => {
  const { payment, id } = await requestSlowed(false)
  const ledger = { ...shiftClock(fixture.ledger, 61_000), maySend: () => Promise.resolve(false) }
  expect(await settleLedger(ledger, id)).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})
