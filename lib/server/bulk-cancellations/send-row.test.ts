import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readPayment } from '../cancellations/read-payment'
import { AppError } from '../runtime/app-error'
import { BulkFixture } from '../testing/bulk-fixture'
import { openMemoryStore } from '../testing/store-fixture'
import { classifyStoreError, sendRow } from './send-row'

/** What the work throws. */
async function catchError(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('what the store throws is told as the store, a full disk by its name', async () => {
  const store = await openMemoryStore()
  const broken = await catchError(() => store.db.execute(sql`select * from nowhere`))
  expect(classifyStoreError(broken)).toBe('store-unavailable')
  await store.close()
  expect(classifyStoreError(await catchError(() => store.db.transaction(async () => 1)))).toBe('store-unavailable')
  expect(classifyStoreError(new AppError('store-unavailable', {}, { cause: broken }))).toBe('store-unavailable')
  expect(classifyStoreError(new Error('Failed query', { cause: Object.assign(new Error(), { code: '53100' }) }))).toBe(
    'store-full',
  )
})

test('a fault of our own is not told as the store', async () => {
  expect(classifyStoreError(await catchError(() => Reflect.get(Reflect.get({}, 'row'), 'id')))).toBe('internal')
  expect(classifyStoreError(new AppError('conflict'))).toBe('internal')
})

test('a row that was read before a 429 is not sent before the time that it names (UP-07)', async () => {
  const fixture = await BulkFixture.start()
  const [payment] = fixture.add(1)
  if (!payment) throw new Error('there is no payment')
  const [row] = await fixture.rowsOf(await fixture.start([payment]))
  if (!row) throw new Error('there is no row')
  const { ledger } = fixture
  const read = async () => {
    const reading = await readPayment(ledger, payment.id)
    ledger.memory.hold(ledger.clock.now().getTime() + 60_000)
    return reading
  }
  const result = await sendRow(ledger, row, { read, isRunning: async () => true })
  expect(result).toMatchObject({ kind: 'unread', why: 'status-429', isSlowDown: true })
  expect('wait' in result && result.wait).toBeGreaterThan(50_000)
  expect(fixture.service.deletes).toHaveLength(0)
  await fixture.close()
})
