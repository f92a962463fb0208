import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BulkFixture, listOf } from '../testing/bulk-fixture'

let bench: BulkFixture

beforeAll(async () => {
  bench = await BulkFixture.start()
})
beforeEach(() => bench.reset())
afterAll(() => bench.close())

test('asks for fifty ids at once where the service was proven to understand it, and walks where it does not', async () => {
  const payments = bench.add(120)
  await bench.ledger.capabilities.note({ 'eq:id': true })
  const countReads = () => bench.service.requests.length
  let before = countReads()
  expect(await bench.list(listOf(payments))).toMatchObject({ count: 120 })
  expect(countReads() - before).toBe(3)
  for (const filter of ['ignored', 'rejected'] as const) {
    bench.service.lists.filter = filter
    await bench.ledger.capabilities.note({ 'eq:ids': true })
    before = countReads()
    expect(await bench.list(listOf(payments))).toMatchObject({ state: 'ready', count: 120 })
    expect(countReads() - before).toBeLessThanOrEqual(6)
  }
})

test('a list of ids is whole though the service understands the first of several ids alone', async () => {
  const payments = bench.add(3)
  await bench.ledger.capabilities.note({ 'eq:id': true })
  bench.service.lists.answer = ({ path }) =>
    path.includes('+or+')
      ? { body: JSON.stringify({ results: payments.slice(0, 1), hasMore: false, nextOffset: null }) }
      : null
  expect(await bench.list(listOf(payments))).toMatchObject({ state: 'ready', count: 3 })
})
