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

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

const filters: ListSwitches['filter'][] = ['ignored', 'rejected', 'honoured']

let pairs = 0

/** Two payments whose ids differ only in case, the other one first in the list. */
function addPair(): { other: ServicePayment; mine: ServicePayment } {
  pairs += 1
  const alike = { reference: 'INV-1', paymentDate: '2026-12-01T00:00:00Z' }
  const [other, mine] = [`aBcDaQ${pairs}z`, `AbCdAq${pairs}Z`]
  return { other: fixture.service.add({ ...alike, id: other }), mine: fixture.service.add({ ...alike, id: mine }) }
}

const deleted = () => fixture.service.deletes.map(({ paymentId }) => paymentId)
const statusOf = ({ id }: ServicePayment) => fixture.service.payments.get(id)?.status
const cancel = (payment: ServicePayment) => requestCancellation(fixture.ledger, fixture.actor, askFor(payment))

/** An upstream API that ignores the case of ids and returns only the other payment. */
function confuse({ other }: { other: ServicePayment }): void {
  fixture.service.lists.answer = ({ path }) =>
    path.includes('filter=') ? { body: JSON.stringify({ results: [other], hasMore: false }) } : null
}

describe('of two payments whose ids differ only in case', () => {
  test.each(filters)('the one that was asked for is cancelled, and no other, where a filter is %s', async (filter) => {
    fixture.service.lists.filter = filter
    for (const pick of ['mine', 'other'] as const) {
      fixture.service.payments.clear()
      fixture.service.deletes.length = 0
      const pair = addPair()
      const { cancellation } = await cancel(pair[pick])
      const closed = await settleLedger(fixture.ledger, cancellation.id)
      expect(closed).toMatchObject({ state: 'cancelled', paymentId: pair[pick].id })
      expect(deleted()).toEqual([pair[pick].id])
      expect(statusOf(pair[pick === 'mine' ? 'other' : 'mine'])).toBe('Pending')
    }
  })

  test('each can be cancelled while the cancellation of the other is open', async () => {
    fixture.service.lists.filter = 'ignored'
    fixture.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    for (const payment of [mine, other])
      expect((await cancel(payment)).cancellation).toMatchObject({ paymentId: payment.id, outcome: 'requested' })
    expect(deleted()).toEqual([mine.id, other.id])
    await expect(cancel(mine)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a filter that brings the other one says nothing of the one that was asked for, and is not trusted again', async () => {
    const pair = addPair()
    confuse(pair)
    expect(await readPayment(fixture.ledger, pair.mine.id)).toMatchObject({
      kind: 'found',
      payment: { id: pair.mine.id },
    })
    expect(await fixture.ledger.capabilities.read()).toMatchObject({ 'eq:id': false })
    expect((await cancel(pair.mine)).cancellation.outcome).toBe('requested')
    expect(deleted()).toEqual([pair.mine.id])
  })

  test('what becomes of the other one settles nothing, and a notice of it hastens nothing', async () => {
    fixture.service.lists.filter = 'ignored'
    fixture.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    const { cancellation } = await cancel(mine)
    fixture.service.change(other.id, { status: 'Cancelled' })
    const read = await settleLedger(fixture.ledger, cancellation.id, ({ lastRead }) => lastRead !== null)
    expect(read).toMatchObject({ state: 'accepted', closedAt: null, lastRead: 'cancellable: pending' })
    const dueAt = new Date(Date.now() + 3_600_000)
    await fixture.store.db.update(cancellations).set({ dueAt }).where(eq(cancellations.id, cancellation.id))
    await pollNow(fixture.ledger, other.id)
    expect(await getCancellationRow(fixture.ledger, cancellation.id)).toMatchObject({ dueAt })
    await pollNow(fixture.ledger, mine.id)
    expect(await getCancellationRow(fixture.ledger, cancellation.id)).not.toMatchObject({ dueAt })
  })

  test('a key that was used for the one is refused for the other', async () => {
    const { mine, other } = addPair()
    const key = randomUUID()
    await requestCancellation(fixture.ledger, fixture.actor, askFor(mine, { key }))
    const again = requestCancellation(fixture.ledger, fixture.actor, askFor(other, { key }))
    await expect(again).rejects.toMatchObject({ code: 'key-reused' })
    expect(deleted()).toEqual([mine.id])
  })

  test.each(filters)(
    'a bulk of the one leaves the other, and a bulk of both cancels both; a filter is %s',
    async (filter) => {
      fixture.service.lists.filter = filter
      const { mine, other } = addPair()
      await fixture.work()
      expect(await fixture.watch(await fixture.start([mine]))).toMatchObject({ counts: { cancelled: 1 } })
      expect(deleted()).toEqual([mine.id])
      expect(statusOf(other)).toBe('Pending')
      fixture.reset()
      const pair = addPair()
      const both = await fixture.start([pair.mine, pair.other])
      expect(both.count).toBe(2)
      expect(await fixture.watch(both)).toMatchObject({ counts: { cancelled: 2, left: 0 } })
      expect(deleted().toSorted()).toEqual([pair.mine.id, pair.other.id])
    },
  )

  test('a bulk of the one is not kept by an open cancellation of the other, and is another list than that of the other', async () => {
    fixture.service.lists.filter = 'ignored'
    fixture.service.cancelDelay = 600_000
    const { mine, other } = addPair()
    await cancel(other)
    const lists = [await fixture.list(listOf([mine])), await fixture.list(listOf([other]))]
    expect(lists.map(({ count }) => count)).toEqual([1, 0])
    const [ofMine] = lists
    if (!ofMine) throw new Error('there is no list')
    await startBulk(fixture.ledger, fixture.actor, { bulkId: ofMine.id, given: confirm(ofMine) })
    const rows = await fixture.rowsOf(ofMine)
    expect(rows.map(({ paymentId }) => paymentId)).toEqual([mine.id])
  })

  test('a bulk by a filter lists both', async () => {
    addPair()
    const filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' } as const
    expect(await fixture.list({ kind: 'filter', filter, words: 'State: Pending' })).toMatchObject({ count: 2 })
  })

  test('a row of a bulk that names the handle of the one finds that one', async () => {
    const { mine } = addPair()
    fixture.service.change(mine.id, { handle: 'Pa_One' })
    fixture.service.add({ handle: 'pa_one' })
    const list = await fixture.list({ kind: 'list', name: null, rows: [{ given: 'Pa_One', reason: null }] })
    await startBulk(fixture.ledger, fixture.actor, { bulkId: list.id, given: confirm(list) })
    expect((await fixture.rowsOf(list)).map(({ paymentId }) => paymentId)).toEqual([mine.id])
  })
})

test('a request that would name another payment than the one it was asked for is never sent', async () => {
  const { mine, other } = addPair()
  const { row } = await writeIntent(fixture.ledger, fixture.actor, askFor(mine))
  const reading = await readPayment(fixture.ledger, other.id)
  const found: Payment | null = reading.kind === 'found' ? reading.payment : null
  expect(found).toMatchObject({ id: other.id })
  await expect(sendCancellation(fixture.ledger, row, found)).rejects.toMatchObject({
    code: 'internal',
    cause: { message: expect.stringContaining('another payment') },
  })
  expect(deleted()).toEqual([])
  expect(await getCancellationRow(fixture.ledger, row.id)).toMatchObject({ state: 'intended', attempts: 0 })
})

describe('a UUID in other case', () => {
  test.each(filters)(
    'names the same payment, which is called as the service calls it, where a filter is %s',
    async (filter) => {
      fixture.service.lists.filter = filter
      fixture.service.cancelDelay = 600_000
      const payment = fixture.service.add()
      const capitals = { ...payment, id: payment.id.toUpperCase() }
      const { cancellation } = await cancel(capitals)
      expect(cancellation).toMatchObject({ paymentId: capitals.id, outcome: 'requested' })
      expect(deleted()).toEqual([payment.id])
      await expect(cancel(payment)).rejects.toMatchObject({ code: 'conflict' })
      expect(await fixture.list(listOf([payment, capitals]))).toMatchObject({ count: 0 })
      fixture.service.change(payment.id, { status: 'Cancelled' })
      expect(await settleLedger(fixture.ledger, cancellation.id)).toMatchObject({ state: 'cancelled' })
    },
  )

  test('is the same row of a bulk', async () => {
    const payment = fixture.service.add()
    const list = await fixture.list(listOf([payment, { id: payment.id.toUpperCase() }]))
    expect(list.count).toBe(1)
  })
})
