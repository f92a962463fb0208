import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BulkFixture, listOf } from '../testing/bulk-fixture'
import { findNamedPayments, toStorableText } from './list-rows'
import { findBulk } from './queries'
import { readBulkRows } from './result-rows'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture.close())

function given(...names: string[]) {
  return { kind: 'list' as const, name: null, rows: names.map((name) => ({ given: name, reason: null })) }
}

/** The last comes to the first page once that was read, and the one at its end to the second. */
const moveLast = (lasts: boolean) => (one: { results: unknown[]; hasMore: unknown }) => {
  if (one.hasMore === true) return one
  if (!lasts) fixture.service.lists.container = (plain) => plain
  return { ...one, results: [[...fixture.service.payments.values()][99], ...one.results.slice(0, -1)] }
}

async function verdictsOf(bulk: { id: string }) {
  const found = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
  const { rows } = await readBulkRows(fixture.store, found, { from: 0, since: null })
  return rows.map((row) => [row.given, row.verdict, row.paymentId])
}

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

test.each([true, false])(
  'is made before the time that a 429 named to the workers, by a filter or without: %s (UP-07)',
  async (proof) => {
    const payments = fixture.add(3)
    const { capabilities, clock, memory } = fixture.ledger
    await capabilities.note({ 'eq:id': proof })
    memory.hold(clock.now().getTime() + 600_000)
    const from = fixture.service.requests.length
    expect(await fixture.list(listOf(payments))).toMatchObject({ state: 'ready', count: 3 })
    expect(fixture.service.requests.length - from).toBe(1)
  },
)

test('a list of ids is whole though the service understands the first of several ids alone', async () => {
  const payments = fixture.add(3)
  await fixture.ledger.capabilities.note({ 'eq:id': true })
  fixture.service.lists.answer = ({ path }) =>
    path.includes('+or+')
      ? { body: JSON.stringify({ results: payments.slice(0, 1), hasMore: false, nextOffset: null }) }
      : null
  expect(await fixture.list(listOf(payments))).toMatchObject({ state: 'ready', count: 3 })
})

test('reads no page while the provider wants to be asked later', async () => {
  const [payment] = fixture.add(1)
  const until = fixture.ledger.clock.now().getTime() + 300
  fixture.ledger.memory.slowDown(until)
  expect(await fixture.list(listOf(payment ? [payment] : []))).toMatchObject({ count: 1 })
  expect(fixture.ledger.clock.now().getTime()).toBeGreaterThanOrEqual(until)
})

describe('a name of a list', () => {
  test('is the id of a payment that comes later, though another has it for a handle (decision 0005)', async () => {
    fixture.service.add({ id: '7', handle: '1204' })
    for (let index = 0; index < 120; index += 1) fixture.service.add({ id: `9${index}` })
    fixture.service.add({ id: '1204' })
    expect(await verdictsOf(await fixture.list(given('1204')))).toEqual([['1204', 'cancellable', '1204']])
  })

  test('that several payments have for a handle names none of them, on whatever page they are', async () => {
    const [first] = [fixture.service.add({ handle: 'pa_one' }), ...fixture.add(250)]
    const other = fixture.service.add({ handle: 'pa_one' })
    fixture.service.add({ handle: 'pa_own', reference: 'pa_one' })
    expect(await verdictsOf(await fixture.list(given('pa_one', first.id, other.id)))).toEqual([
      ['pa_one', 'ambiguous', null],
      [first.id, 'cancellable', first.id],
      [other.id, 'cancellable', other.id],
    ])
  })

  test('that is a handle reads the list to its end, and one that is an id only to where it is met', async () => {
    const [one] = [fixture.service.add({ handle: 'pa_one' }), ...fixture.add(250)]
    const readsOf = async (...names: string[]) => {
      const before = fixture.service.requests.length
      expect(await fixture.list(given(...names))).toMatchObject({ count: names.length })
      return fixture.service.requests.length - before
    }
    expect(await readsOf('pa_one')).toBe(3)
    expect(await readsOf(one.id)).toBe(1)
  })

  test.each([
    ['does not end', (one: object) => ({ ...one, hasMore: true, nextOffset: null }), 'list-incomplete'],
    [
      'has an entry without an id',
      (one: { results: unknown[] }) => ({ ...one, results: [...one.results, { amount: 1 }] }),
      'unreadable-entries',
    ],
  ])('is no handle of one payment alone where the list %s', async (_, container, problem) => {
    const one = fixture.service.add({ handle: 'pa_one' })
    fixture.service.lists.container = container
    const bulk = await fixture.list(given('pa_one', one.id, '2026/17'))
    expect(bulk).toMatchObject({ state: 'ready', problem, count: 1 })
    expect(await verdictsOf(bulk)).toEqual([
      ['pa_one', 'unknown', null],
      [one.id, 'cancellable', one.id],
      ['2026/17', 'unknown', null],
    ])
  })

  test('is no reference of one payment alone where the list moved and another may have passed unseen: it is read again', async () => {
    const [twin] = [fixture.service.add({ reference: 'INV-7' }), ...fixture.add(148)]
    fixture.service.add({ reference: 'INV-7' })
    fixture.service.lists.container = moveLast(true)
    const bulk = await fixture.list(given('INV-7', twin.id))
    expect(bulk).toMatchObject({ state: 'ready', problem: 'list-moved', count: 1 })
    expect(await verdictsOf(bulk)).toEqual([
      ['INV-7', 'unknown', null],
      [twin.id, 'cancellable', twin.id],
    ])
    fixture.service.lists.container = moveLast(false)
    expect(await verdictsOf(await fixture.list(given('INV-7')))).toEqual([['INV-7', 'ambiguous', null]])
  })

  test('is a reference where the list always moves, but for the order of creation, which is proven', async () => {
    const [one] = [fixture.service.add({ reference: 'only' }), ...fixture.add(149)]
    fixture.service.lists.container = moveLast(true)
    fixture.service.lists.answer = ({ path }) => {
      if (path.includes('orderby=createdAt')) fixture.service.lists.container = (plain) => plain
      return null
    }
    expect(await fixture.list(given('only'))).toMatchObject({ problem: 'list-moved' })
    await fixture.ledger.capabilities.note({ 'order:createdAt': true })
    expect(await verdictsOf(await fixture.list(given('only')))).toEqual([['only', 'cancellable', one.id]])
  })

  test('keeps two of the payments that have it, however many they are', async () => {
    for (let index = 0; index < 5; index += 1) fixture.service.add({ reference: 'monthly' })
    const { named, isWhole } = await findNamedPayments(fixture.ledger, ['monthly'], async () => undefined)
    expect(named.find('monthly', isWhole)).toHaveLength(2)
  })
})
