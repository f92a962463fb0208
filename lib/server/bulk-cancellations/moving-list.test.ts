import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancellations } from '../store/schema'
import { BulkFixture } from '../testing/bulk-fixture'
import type { PaymentLedgerService } from '../testing/payment-ledger-service'
import { hasSentSince } from './row-leases'
import { RowQueue } from './row-queue'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

type Container = Parameters<PaymentLedgerService['lists']['container']>[0]

const isFiltered = ({ path }: { path: string }) => path.includes('filter=')
const isSettled = ({ settled, count }: { settled: number; count: number }) => settled === count

/** Works with a filter by id that is known to fail; `onPage` is awaited before each page of the list. */
async function workByList(onPage: () => Promise<void> | void = () => undefined): Promise<void> {
  await fixture.ledger.capabilities.note({ 'eq:id': false })
  await fixture.work({
    ...fixture.ledger,
    step: async (name) => {
      if (name === 'during-read') await onPage()
    },
  })
}

test('a payment is not taken for missing because those before it were cancelled and left the list', async () => {
  const bulk = await fixture.start(fixture.add(220))
  fixture.service.lists.show = (payment) => (payment.status === 'Cancelled' ? null : payment)
  // Time to cancel what the last page showed.
  await workByList(() => wait(150))
  const { counts } = await fixture.watch(bulk, isSettled)
  expect(counts['not-cancelled']).toBe(0)
  expect(fixture.service.deletes).toHaveLength(220)
})

test('a payment is missing where two passes through a list that stood still do not show it', async () => {
  const payments = fixture.add(150)
  const [gone] = payments
  const bulk = await fixture.start(payments.slice(0, 1))
  fixture.service.payments.delete(gone?.id ?? '')
  const from = fixture.service.requests.length
  await workByList()
  await fixture.watch(bulk, isSettled)
  expect(await fixture.rowsOf(bulk)).toMatchObject([{ state: 'not-cancelled', outcomeReason: 'absent' }])
  expect(fixture.service.requests.slice(from).filter(({ method }) => method === 'GET')).toHaveLength(4)
})

test('a bulk ends where the list never stands still, and takes no payment for missing', async () => {
  const payments = fixture.add(150)
  const [gone] = payments
  const bulk = await fixture.start(payments.slice(0, 1))
  fixture.service.payments.delete(gone?.id ?? '')
  const twice = payments[50]
  fixture.service.lists.container = (one) => (one.hasMore === true ? one : { ...one, results: [twice, ...one.results] })
  await workByList()
  await fixture.watch(bulk, isSettled)
  expect(await fixture.rowsOf(bulk)).toMatchObject([
    { state: 'not-cancelled', outcomeReason: 'unreadable', evidence: { read: { why: 'list-moved' } } },
  ])
})

test('what any desk sends or has answered moves the list', async () => {
  const bulk = await fixture.start(fixture.add(1))
  const [row] = await fixture.rowsOf(bulk)
  const { ledger, store } = fixture
  const since = ledger.clock.store.now()
  const at = (seconds: number) => new Date(since.getTime() + seconds * 1_000)
  // A single cancellation counts like one of a bulk.
  const change = (values: Partial<typeof cancellations.$inferInsert>) =>
    store.db
      .update(cancellations)
      .set({ bulkId: null, ...values })
      .where(eq(cancellations.id, row?.id ?? ''))
  expect(await hasSentSince(ledger, since)).toBe(false)
  await change({ state: 'sending', sentAt: at(-2), stateSince: at(-2) })
  expect(await hasSentSince(ledger, since)).toBe(true)
  await change({ state: 'accepted' })
  expect(await hasSentSince(ledger, since)).toBe(false)
  const answered = ledger.clock.store.now()
  await change({ stateSince: answered })
  expect(await hasSentSince(ledger, since)).toBe(true)
  // Read as cancelled meanwhile, and sent long before.
  await change({ state: 'cancelled', sentAt: at(-60) })
  expect(await hasSentSince(ledger, since)).toBe(false)
  await change({ sentAt: at(600), stateSince: at(600) })
  expect(await hasSentSince(ledger, since)).toBe(false)
})

test('a whole pass after one of a list that moved does not make a payment absent, nor does one without an offset', async () => {
  const payments = fixture.add(150)
  const [gone] = payments
  const bulk = await fixture.start(payments.slice(0, 1))
  fixture.service.payments.delete(gone?.id ?? '')
  const ends: ((one: Container) => object)[] = [
    (one) => ({ ...one, results: [payments[50], ...one.results] }),
    (one) => one,
    (one) => ({ ...one, hasMore: true }),
    (one) => one,
  ]
  let passes = 0
  fixture.service.lists.container = (one) => (one.hasMore === true ? one : (ends[passes++]?.(one) ?? one))
  await workByList()
  await fixture.watch(bulk, isSettled)
  expect(passes).toBe(4)
  expect(await fixture.rowsOf(bulk)).toMatchObject([{ state: 'not-cancelled', outcomeReason: 'absent' }])
})

test('a bulk ends where requests are sent all the time', async () => {
  const [gone] = fixture.add(2)
  const bulk = await fixture.start(gone ? [gone] : [])
  fixture.service.payments.delete(gone?.id ?? '')
  const other = await fixture.start(fixture.add(1))
  const { ledger, store } = fixture
  await workByList(async () => {
    const now = ledger.clock.store.now()
    const accepted = {
      state: 'accepted' as const,
      sentAt: now,
      stateSince: now,
      dueAt: new Date(now.getTime() + 600_000),
    }
    await store.db.update(cancellations).set(accepted).where(eq(cancellations.bulkId, other.id))
  })
  await fixture.watch(bulk, isSettled)
  expect(await fixture.rowsOf(bulk)).toMatchObject([
    { state: 'not-cancelled', outcomeReason: 'unreadable', evidence: { read: { why: 'list-moved' } } },
  ])
})

test('looks for as many as can be sent on one reading of the list, and for one where that is none', async () => {
  await fixture.ledger.capabilities.note({ 'eq:id': false })
  const bulk = await fixture.start(fixture.add(6))
  const events = { onQueued: () => undefined, onFailure: () => undefined, countWithin: () => 0, isSending: () => false }
  const queue = new RowQueue(fixture.ledger, events)
  await queue.refill(10)
  expect((await fixture.rowsOf(bulk)).filter(({ leaseHolder }) => leaseHolder !== null)).toHaveLength(1)
  await queue.close()
})

const failure = { status: 500, body: '' }
const nothing = { body: '{"results":[],"hasMore":false}' }

test.each([
  ['fails', undefined, failure],
  ['finds nothing, though it was proven', true, nothing],
  ['finds nothing', undefined, nothing],
  ['is ignored', undefined, null],
])('a payment at the end of a long and slow list is cancelled where the filter by id %s', async (_, proof, answer) => {
  const payments = fixture.add(1_000)
  const bulk = await fixture.start(payments.slice(-1))
  if (proof) await fixture.ledger.capabilities.note({ 'eq:id': proof })
  if (answer === null) fixture.service.lists.filter = 'ignored'
  fixture.service.lists.answer = (request) => (isFiltered(request) ? answer : null)
  const { ledger } = fixture
  // The search for one payment would end after the sixth page.
  await fixture.work({
    ...ledger,
    rules: { ...ledger.rules, guardTimeoutMs: 1_200 },
    step: async (name) => {
      if (name === 'during-read') await wait(200)
    },
  })
  expect(await fixture.watch(bulk, isSettled)).toMatchObject({ counts: { 'not-cancelled': 0 } })
  expect(fixture.service.deletes).toHaveLength(1)
  expect((await ledger.capabilities.read())['eq:id']).toBe(answer === null ? false : proof)
})

/** The reads of the plain list since then. */
function walksSince(from: number) {
  return fixture.service.requests.slice(from).filter((request) => request.method === 'GET' && !isFiltered(request))
}

test('a missing payment leaves the filter to the others, also where that has shown nothing before', async () => {
  const [gone, ...others] = fixture.add(10)
  const bulk = await fixture.start(gone ? [gone, ...others] : [])
  fixture.service.payments.delete(gone?.id ?? '')
  const from = fixture.service.requests.length
  await fixture.work()
  expect(await fixture.watch(bulk)).toMatchObject({ counts: { 'not-cancelled': 1, cancelled: 9 } })
  expect((await fixture.rowsOf(bulk)).find(({ paymentId }) => paymentId === gone?.id)?.outcomeReason).toBe('absent')

  // Two, and perhaps one amid the last request.
  expect(walksSince(from).length).toBeLessThan(4)
})

test('where a proven filter fails for a moment, payments are read by it again', async () => {
  const bulk = await fixture.start(fixture.add(10))
  await fixture.ledger.capabilities.note({ 'eq:id': true, 'eq:ids': true })
  let failures = 1
  fixture.service.lists.answer = (request) => (isFiltered(request) && failures-- > 0 ? failure : null)
  const from = fixture.service.requests.length
  await fixture.work()
  expect(await fixture.watch(bulk)).toMatchObject({ counts: { cancelled: 10 } })
  expect(walksSince(from)).toHaveLength(0)
})

test('without a filter, a missing payment comes after the others', async () => {
  await fixture.ledger.capabilities.note({ 'eq:id': false })
  const payments = fixture.add(3)
  await fixture.start(payments)
  fixture.service.payments.delete(payments[0]?.id ?? '')
  // One row a pass.
  const events = { onQueued: () => undefined, onFailure: () => undefined, countWithin: () => 1, isSending: () => false }
  const queue = new RowQueue(fixture.ledger, events)
  /** The payments that passes showed, or told to be missing, one after the other. */
  const taken: (string | undefined)[] = []
  for (let pass = 0; pass < 4; pass += 1) {
    await queue.refill(10)
    // The pass, and the pause after it.
    await wait(2 * fixture.ledger.rules.pollIntervalMs + 200)
    taken.push(queue.take()?.row.paymentId)
  }
  await queue.close()
  const [gone, ...others] = payments.map(({ id }) => id)
  expect(taken).toEqual([undefined, ...others, gone])
})

test('a pass that fails takes nothing from what others have shown', async () => {
  const payments = fixture.add(2)
  const bulk = await fixture.start(payments.slice(0, 1))
  fixture.service.payments.delete(payments[0]?.id ?? '')
  let passes = 0
  fixture.service.lists.answer = () => ((passes += 1) % 2 === 0 ? { status: 401, body: '' } : null)
  await workByList()
  await fixture.watch(bulk, isSettled)
  expect(await fixture.rowsOf(bulk)).toMatchObject([{ outcomeReason: 'absent' }])
  expect(passes).toBe(3)
})

test('where the list fails as an unproven filter does, rows wait for the filter, and are not looked for in the list', async () => {
  const bulk = await fixture.start(fixture.add(40))
  let isDown = true
  fixture.service.lists.answer = () => (isDown ? failure : null)
  const from = fixture.service.requests.length
  await fixture.work()
  await wait(3_000)
  const during = fixture.service.requests.length - from
  isDown = false
  expect(await fixture.watch(bulk)).toMatchObject({ counts: { cancelled: 40 } })
  expect(during).toBeLessThan(20)
  expect(walksSince(from + during).length).toBe(0)
})
