import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Payment } from '@/lib/api-contract/payments'
import { startBulk } from '../bulk-cancellations/start-bulk'
import { cancellations } from '../store/schema'
import { BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { askFor } from '../testing/ledger-fixture'
import type { ListSwitches, ServicePayment } from '../testing/payment-ledger-service'
import { settleLedger } from '../testing/test-ledger'
import { getCancellationRow } from './queries'
import { pollNow } from './manual-review'
import { readPayment } from './read-payment'
import { requestCancellation } from './request-cancellation'
import { sendCancellation } from './send'
import { writeIntent } from './intents'

let bench: BulkFixture

beforeAll(async () => {
  bench = await BulkFixture.start()
})
beforeEach(() => bench.reset())
afterEach(() => bench.rest())
afterAll(() => bench.close())

const filters: ListSwitches['filter'][] = ['ignored', 'rejected', 'honoured']

let pairs = 0

/** Two payments that nothing but the case of their ids tells apart, the other one first in the list. */
function addPair(): { other: ServicePayment; mine: ServicePayment } {
  pairs += 1
  const alike = { reference: 'INV-1', paymentDate: '2026-12-01T00:00:00Z' }
  const [other, mine] = [`aBcDaQ${pairs}z`, `AbCdAq${pairs}Z`]
  return { other: bench.service.add({ ...alike, id: other }), mine: bench.service.add({ ...alike, id: mine }) }
}

const deleted = () => bench.service.deletes.map(({ paymentId }) => paymentId)
const statusOf = ({ id }: ServicePayment) => bench.service.payments.get(id)?.status
const cancel = (payment: ServicePayment) => requestCancellation(bench.ledger, bench.actor, askFor(payment))

/** A service that compares ids without regard to case, and answers the other one alone. */
function confuse({ other }: { other: ServicePayment }): void {
  bench.service.lists.answer = ({ path }) =>
    path.includes('filter=') ? { body: JSON.stringify({ results: [other], hasMore: false }) } : null
}

describe('of two payments whose ids differ only in case', () => {
  test.each(filters)('the one that was asked for is cancelled, and no other, where a filter is %s', async (filter) => {
    bench.service.lists.filter = filter
    for (const pick of ['mine', 'other'] as const) {
      bench.service.payments.clear()
      bench.service.deletes.length = 0
      const pair = addPair()
      const { cancellation } = await cancel(pair[pick])
      const closed = await settleLedger(bench.ledger, cancellation.id)
      expect(closed).toMatchObject({ state: 'cancelled', paymentId: pair[pick].id })
      expect(deleted()).toEqual([pair[pick].id])
      expect(statusOf(pair[pick === 'mine' ? 'other' : 'mine'])).toBe('Pending')
    }
  })

  test('each can be cancelled while the cancellation of the other is open', async () => {
    bench.service.lists.filter = 'ignored'
    bench.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    for (const payment of [mine, other])
      expect((await cancel(payment)).cancellation).toMatchObject({ paymentId: payment.id, outcome: 'requested' })
    expect(deleted()).toEqual([mine.id, other.id])
    await expect(cancel(mine)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a filter that brings the other one says nothing of the one that was asked for, and is not trusted again', async () => {
    const pair = addPair()
    confuse(pair)
    expect(await readPayment(bench.ledger, pair.mine.id)).toMatchObject({
      kind: 'found',
      payment: { id: pair.mine.id },
    })
    expect(await bench.ledger.capabilities.read()).toMatchObject({ 'eq:id': false })
    expect((await cancel(pair.mine)).cancellation.outcome).toBe('requested')
    expect(deleted()).toEqual([pair.mine.id])
  })

  test('what becomes of the other one settles nothing, and a notice of it hastens nothing', async () => {
    bench.service.lists.filter = 'ignored'
    bench.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    const { cancellation } = await cancel(mine)
    bench.service.change(other.id, { status: 'Cancelled' })
    const read = await settleLedger(bench.ledger, cancellation.id, ({ lastRead }) => lastRead !== null)
    expect(read).toMatchObject({ state: 'accepted', closedAt: null, lastRead: 'cancellable: pending' })
    const dueAt = new Date(Date.now() + 3_600_000)
    await bench.store.db.update(cancellations).set({ dueAt }).where(eq(cancellations.id, cancellation.id))
    await pollNow(bench.ledger, other.id)
    expect(await getCancellationRow(bench.ledger, cancellation.id)).toMatchObject({ dueAt })
    await pollNow(bench.ledger, mine.id)
    expect(await getCancellationRow(bench.ledger, cancellation.id)).not.toMatchObject({ dueAt })
  })

  test('a key that was used for the one is refused for the other', async () => {
    const { mine, other } = addPair()
    const key = randomUUID()
    await requestCancellation(bench.ledger, bench.actor, askFor(mine, { key }))
    const again = requestCancellation(bench.ledger, bench.actor, askFor(other, { key }))
    await expect(again).rejects.toMatchObject({ code: 'key-reused' })
    expect(deleted()).toEqual([mine.id])
  })

  test.each(filters)(
    'a bulk of the one leaves the other, and a bulk of both cancels both; a filter is %s',
    async (filter) => {
      bench.service.lists.filter = filter
      const { mine, other } = addPair()
      await bench.work()
      expect(await bench.watch(await bench.start([mine]))).toMatchObject({ counts: { cancelled: 1 } })
      expect(deleted()).toEqual([mine.id])
      expect(statusOf(other)).toBe('Pending')
      bench.reset()
      const pair = addPair()
      const both = await bench.start([pair.mine, pair.other])
      expect(both.count).toBe(2)
      expect(await bench.watch(both)).toMatchObject({ counts: { cancelled: 2, left: 0 } })
      expect(deleted().toSorted()).toEqual([pair.mine.id, pair.other.id])
    },
  )

  test('a bulk of the one is not kept by an open cancellation of the other, and is another list than that of the other', async () => {
    bench.service.lists.filter = 'ignored'
    bench.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    await cancel(other)
    const lists = [await bench.list(listOf([mine])), await bench.list(listOf([other]))]
    expect(lists.map(({ count }) => count)).toEqual([1, 0])
    const [ofMine] = lists
    if (!ofMine) throw new Error('there is no list')
    await startBulk(bench.ledger, bench.actor, { bulkId: ofMine.id, given: confirm(ofMine) })
    const rows = await bench.rowsOf(ofMine)
    expect(rows.map(({ paymentId }) => paymentId)).toEqual([mine.id])
  })

  test('a bulk by a filter lists both', async () => {
    addPair()
    const filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' } as const
    expect(await bench.list({ kind: 'filter', filter, words: 'State: Pending' })).toMatchObject({ count: 2 })
  })

  test('a row of a bulk that names the handle of the one finds that one', async () => {
    const { mine } = addPair()
    bench.service.change(mine.id, { handle: 'Pa_One' })
    bench.service.add({ handle: 'pa_one' })
    const list = await bench.list({ kind: 'list', name: null, rows: [{ given: 'Pa_One', reason: null }] })
    await startBulk(bench.ledger, bench.actor, { bulkId: list.id, given: confirm(list) })
    expect((await bench.rowsOf(list)).map(({ paymentId }) => paymentId)).toEqual([mine.id])
  })
})

test('a request that would name another payment than the one it was asked for is never sent', async () => {
  const { mine, other } = addPair()
  const { row } = await writeIntent(bench.ledger, bench.actor, askFor(mine))
  const reading = await readPayment(bench.ledger, other.id)
  const found: Payment | null = reading.kind === 'found' ? reading.payment : null
  expect(found).toMatchObject({ id: other.id })
  await expect(sendCancellation(bench.ledger, row, found)).rejects.toThrow(/another payment/u)
  expect(deleted()).toEqual([])
  expect(await getCancellationRow(bench.ledger, row.id)).toMatchObject({ state: 'intended', attempts: 0 })
})

describe('a UUID in other case', () => {
  test.each(filters)(
    'names the same payment, which is called as the service calls it, where a filter is %s',
    async (filter) => {
      bench.service.lists.filter = filter
      bench.service.cancelDelay = 600_000
      const payment = bench.service.add()
      const capitals = { ...payment, id: payment.id.toUpperCase() }
      const { cancellation } = await cancel(capitals)
      expect(cancellation).toMatchObject({ paymentId: capitals.id, outcome: 'requested' })
      expect(deleted()).toEqual([payment.id])
      await expect(cancel(payment)).rejects.toMatchObject({ code: 'conflict' })
      expect(await bench.list(listOf([payment, capitals]))).toMatchObject({ count: 0 })
      bench.service.change(payment.id, { status: 'Cancelled' })
      expect(await settleLedger(bench.ledger, cancellation.id)).toMatchObject({ state: 'cancelled' })
    },
  )

  test('is the same row of a bulk', async () => {
    const payment = bench.service.add()
    const list = await bench.list(listOf([payment, { id: payment.id.toUpperCase() }]))
    expect(list.count).toBe(1)
  })
})
