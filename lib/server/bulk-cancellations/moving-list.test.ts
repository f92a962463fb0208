import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancellations } from '../store/schema'
import { BulkFixture } from '../testing/bulk-fixture'
import { hasSentSince } from './row-leases'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

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

test('what another desk sends for a bulk moves the list, too', async () => {
  const bulk = await fixture.start(fixture.add(2))
  const [row] = await fixture.rowsOf(bulk)
  const { ledger, store } = fixture
  const since = ledger.clock.store.now()
  const change = (values: Partial<typeof cancellations.$inferInsert>) =>
    store.db
      .update(cancellations)
      .set(values)
      .where(eq(cancellations.id, row?.id ?? ''))
  expect(await hasSentSince(ledger, since)).toBe(false)
  const before = new Date(since.getTime() - 5_000)
  await change({ state: 'sending', attempts: 1, stateSince: before })
  expect(await hasSentSince(ledger, since)).toBe(true)
  await change({ state: 'accepted' })
  expect(await hasSentSince(ledger, since)).toBe(false)
  await change({ stateSince: new Date(since.getTime() + 5_000) })
  expect(await hasSentSince(ledger, since)).toBe(true)
})

test.each([
  ['fails, though it was proven', true, { status: 500, body: '' }],
  ['fails', undefined, { status: 500, body: '' }],
  ['finds nothing', undefined, { body: '{"results":[],"hasMore":false}' }],
])('a payment at the end of a long list is cancelled where the filter by id %s', async (_, isProven, answer) => {
  const payments = fixture.add(5_100)
  const bulk = await fixture.start(payments.slice(-1))
  if (isProven) await fixture.ledger.capabilities.note({ 'eq:id': true })
  fixture.service.lists.answer = (request) => (isFiltered(request) ? answer : null)
  await fixture.work()
  expect(await fixture.watch(bulk, isSettled)).toMatchObject({ counts: { 'not-cancelled': 0 } })
  expect(fixture.service.deletes).toHaveLength(1)
  expect((await fixture.ledger.capabilities.read())['eq:id']).toBe(isProven)
})
