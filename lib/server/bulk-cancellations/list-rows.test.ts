import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BulkFixture, listOf } from '../testing/bulk-fixture'
import { toStorableText } from './list-rows'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture.close())

test('keeps a text that is cut in the middle of a character', async () => {
  const given = `${'x'.repeat(299)}\u{1F4B8}`
  const view = await fixture.list({ kind: 'list', name: null, rows: [{ given, reason: null }] })
  expect(view).toMatchObject({ state: 'ready', count: 0 })
  expect(toStorableText(given)?.isWellFormed()).toBe(true)
})

test('asks for fifty ids at once where the service was proven to understand it, and walks where it does not', async () => {
  const payments = fixture.add(120)
  await fixture.ledger.capabilities.note({ 'eq:id': true })
  const countReads = () => fixture.service.requests.length
  let before = countReads()
  expect(await fixture.list(listOf(payments))).toMatchObject({ count: 120 })
  expect(countReads() - before).toBe(3)
  for (const filter of ['ignored', 'rejected'] as const) {
    fixture.service.lists.filter = filter
    await fixture.ledger.capabilities.note({ 'eq:ids': true })
    before = countReads()
    expect(await fixture.list(listOf(payments))).toMatchObject({ state: 'ready', count: 120 })
    expect(countReads() - before).toBeLessThanOrEqual(6)
  }
})

test('a list of ids is whole though the service understands the first of several ids alone', async () => {
  const payments = fixture.add(3)
  await fixture.ledger.capabilities.note({ 'eq:id': true })
  fixture.service.lists.answer = ({ path }) =>
    path.includes('+or+')
      ? { body: JSON.stringify({ results: payments.slice(0, 1), hasMore: false, nextOffset: null }) }
      : null
  expect(await fixture.list(listOf(payments))).toMatchObject({ state: 'ready', count: 3 })
})
