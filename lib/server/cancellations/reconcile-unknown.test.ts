import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdOpenWork } from '../backups/hold-open-work'
import { LedgerFixture, problemAnswer } from '../testing/ledger-fixture'
import type { DeleteSwitch } from '../testing/payment-ledger-service'
import { readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import type { CancellationRow, Ledger } from './ledger'
import { measureHold } from './payment-pages'
import { runPass } from './worker'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const hour = 3_600_000
const nobody = { headers: {}, body: '' }
const unclear: [string, DeleteSwitch][] = [
  ['a timeout', { answer: { hang: true } }],
  ['a reset', { answer: { resetBefore: true } }],
  ['a truncated 202', { answer: { status: 202, body: '{"status":"Accepted"}', resetAfterBytes: 4 } }],
  ['500 without a body', { answer: { status: 500, ...nobody } }],
  ['502 in HTML', { answer: { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' } }],
  ['503', { answer: { status: 503, ...nobody } }],
  ['504', { answer: { status: 504, ...nobody } }],
  ['a redirect', { answer: { status: 302, headers: { location: '/elsewhere' }, body: '' } }],
  ['408', { answer: { status: 408, ...nobody } }],
  ['200 that cannot be read', { answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' } }],
]

test.each(unclear)('%s with effect: unknown, then cancelled by reading alone', async (_, answer) => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: true, ...answer })
  expect(view).toMatchObject({ outcome: 'unknown', closed: false, reason: null })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test.each(unclear)('%s without effect: one more request, after the grace and two reads', async (_, answer) => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: false, ...answer })
  expect(view.outcome).toBe('unknown')
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  const [first, second, ...more] = fixture.deletesOf(payment)
  if (!first || !second) throw new Error('was not sent again')
  expect(more).toEqual([])
  expect([first.effective, second.effective]).toEqual([false, true])
  expect([first.idempotencyKey, second.idempotencyKey]).toEqual([view.id, view.id])
  expect(second.at - first.at).toBeGreaterThanOrEqual(fixture.ledger.rules.graceMs)
  expect(fixture.countReads(first.at + fixture.ledger.rules.graceMs, second.at)).toBeGreaterThanOrEqual(2)
})

test('is never sent a third time: a person is asked', async () => {
  const payment = fixture.service.add()
  const broken: DeleteSwitch = { effect: false, answer: { status: 500, ...nobody } }
  const view = await fixture.cancel(payment, broken, broken)
  await settleLedger(fixture.ledger, view.id, ({ attempts, state, agreeingReads }) => {
    return attempts === 2 && state === 'unknown' && agreeingReads >= 4
  })
  const row = await settleLedger(shiftClock(fixture.ledger, hour), view.id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason: 'unconfirmed', detail: 'Pending', attempts: 2 })
  expect(fixture.deletesOf(payment)).toHaveLength(2)
})

test.each([401, 403, 404, 409, 422])(
  'a second request answered with %i proves nothing about the first',
  async (status) => {
    const payment = fixture.service.add()
    const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } }, problemAnswer(status))
    const second = await settleLedger(fixture.ledger, view.id, (row) => row.attempts === 2 && row.state !== 'sending')
    expect(second.state).toBe('unknown')
    fixture.service.change(payment.id, { status: 'Cancelled' })
    expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled' })
  },
)

test('a second request that is slowed down, or never written, is tried again', async () => {
  const payment = fixture.service.add()
  const slow: DeleteSwitch = { effect: false, answer: { status: 429, headers: { 'retry-after': '1' }, body: '' } }
  const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } }, slow)
  const row = await settleLedger(fixture.ledger, view.id, ({ evidence }) => evidence.reply?.status === 429)
  expect(row).toMatchObject({ state: 'unknown', attempts: 1 })
  expect(await settleLedger(fixture.ledger, view.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  expect(fixture.deletesOf(payment).map(({ effective }) => effective)).toEqual([false, false, true])
})

test('is not sent again for somebody who may no longer cancel: it is read, and then a person is asked', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } })
  const ledger = { ...fixture.ledger, maySend: () => Promise.resolve(false) }
  const isPutOff = ({ dueAt }: CancellationRow) => dueAt !== null && dueAt.getTime() > Date.now() + 10_000
  await settleLedger(ledger, view.id, isPutOff)
  const row = await settleLedger(shiftClock(ledger, hour), view.id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason: 'unconfirmed', attempts: 1 })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('is not sent again when the amount has changed meanwhile', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } })
  fixture.service.change(payment.id, { amount: 1 })
  await settleLedger(fixture.ledger, view.id, ({ agreeingReads }) => agreeingReads >= 3)
  expect(await settleLedger(shiftClock(fixture.ledger, hour), view.id)).toMatchObject({
    state: 'needs-person',
    attempts: 1,
  })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('settles meanwhile: too late, by two reads', async () => {
  const payment = fixture.service.add()
  const settle = () => fixture.service.change(payment.id, { status: 'Settled' })
  const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true }, after: settle })
  const row = await settleLedger(fixture.ledger, view.id)
  expect(row).toMatchObject({ state: 'not-cancelled', outcomeReason: 'too-late', detail: 'Settled' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  expect(fixture.countReads(fixture.deletesOf(payment)[0]?.at ?? 0)).toBeGreaterThanOrEqual(2)
})

test('stays unknown while the list cannot be read, and is not sent again meanwhile', async () => {
  const payment = fixture.service.add()
  const view = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } })
  fixture.service.lists.answer = () => ({ status: 503, ...nobody })
  const row = await settleLedger(fixture.ledger, view.id, ({ agreeingReads }) => agreeingReads >= 4)
  expect(row).toMatchObject({ state: 'unknown', attempts: 1, lastRead: 'unreadable' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

const slow: DeleteSwitch = { effect: false, answer: { status: 429, headers: { 'retry-after': '100' }, body: '' } }
const open: [string, DeleteSwitch, { attempts: number }][] = [
  ['unknown', { effect: false, answer: { resetBefore: true } }, { attempts: 1 }],
  ['not sent yet', slow, { attempts: 0 }],
]

test.each(open)('is never sent again once a backup is restored in which it was %s', async (_, answer, sent) => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, answer)
  const { ledger } = fixture
  await ledger.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
  expect(await readRow(ledger, id)).toMatchObject({ state: 'unknown', outcomeReason: null, ...sent })
  await settleLedger(ledger, id, ({ agreeingReads, attempts }) => agreeingReads >= 4 || attempts > sent.attempts)
  const row = await settleLedger(shiftClock(ledger, hour), id)
  expect(row).toMatchObject({ state: 'needs-person', outcomeReason: 'unconfirmed', ...sent })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test.each(open)('is closed by what a read shows after such a restore: %s', async (_, answer, sent) => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, answer)
  await fixture.ledger.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
  fixture.service.change(payment.id, { status: 'Cancelled' })
  expect(await settleLedger(fixture.ledger, id)).toMatchObject({ state: 'cancelled', ...sent })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('is not sent again before the time that a 429 to another read named (UP-07)', async () => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, { effect: false, answer: { resetBefore: true } })
  const { memory, clock } = fixture.ledger
  let decides = false
  const step = async () => {
    decides = (await readRow(fixture.ledger, id)).agreeingReads === 1
  }
  fixture.service.lists.answer = () => {
    if (decides) memory.hold(clock.now().getTime() + 60_000)
    return null
  }
  let passes = 0
  await settleLedger({ ...fixture.ledger, step }, id, () => measureHold(fixture.ledger) > 0 && (passes += 1) > 3)
  expect(fixture.deletesOf(payment)).toHaveLength(1)
  fixture.service.mend()
  expect(await settleLedger(shiftClock(fixture.ledger, 61_000), id)).toMatchObject({ state: 'cancelled', attempts: 2 })
})

describe('a 429 asks to wait for longer than its outcome may stay open', () => {
  /** When a person is next to be asked about it. */
  async function waitForReview(): Promise<{ id: string; later: Ledger }> {
    const { id } = await fixture.cancel(fixture.service.add(), { answer: { status: 500, ...nobody } })
    fixture.service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '999999' }, body: '' })
    await settleLedger(fixture.ledger, id, () => measureHold(fixture.ledger) > 0)
    expect(measureHold(fixture.ledger)).toBeGreaterThan(850_000)
    return { id, later: shiftClock(fixture.ledger, fixture.ledger.rules.reviewAfterMs + 1_000) }
  }

  test('it is looked for once more before a person is asked', async () => {
    const { id, later } = await waitForReview()
    fixture.service.mend()
    expect(await settleLedger(later, id)).toMatchObject({ state: 'cancelled' })
  })

  test('what comes due soon after is not asked for apart', async () => {
    const { id } = await fixture.cancel(fixture.service.add(), { answer: { status: 500, ...nobody } })
    await wait(4_000)
    const { id: second } = await waitForReview()
    const { reviewAfterMs } = fixture.ledger.rules
    const from = Date.now()
    for (const by of [-3_500, 3_000]) {
      const { work } = await runPass(shiftClock(fixture.ledger, reviewAfterMs + by))
      await work
    }
    expect(fixture.countReads(from)).toBe(1)
    expect((await readRow(fixture.ledger, id)).state).toBe('needs-person')
    expect((await readRow(fixture.ledger, second)).state).toBe('unknown')
  })

  test('a person is asked where that is refused, too', async () => {
    const { id, later } = await waitForReview()
    const from = Date.now()
    expect(await settleLedger(later, id)).toMatchObject({ state: 'needs-person', outcomeReason: 'unreadable' })
    expect(fixture.countReads(from)).toBe(1)
  })
})
