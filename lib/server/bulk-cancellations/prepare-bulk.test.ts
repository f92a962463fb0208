import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import { bulks } from '../store/bulk-schema'
import { BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import type { ServicePayment } from '../testing/payment-ledger-service'
import { createBulk, prepareBulk } from './prepare-bulk'
import { readBulkRows } from './result-rows'
import { findBulk } from './queries'
import { startBulk } from './start-bulk'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture.close())

const pending = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' } as const
const byFilter = { kind: 'filter', filter: pending, words: 'State: Pending' } as const

async function verdictsOf(bulk: { id: string }) {
  const found = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
  const { rows } = await readBulkRows(fixture.store, found, { from: 0, since: null })
  return rows.map(({ given, verdict, paymentId }) => [given, verdict, paymentId])
}

function given(...names: string[]) {
  return { kind: 'list' as const, name: null, rows: names.map((name) => ({ given: name, reason: null })) }
}

describe('the list of a bulk', () => {
  test.each([
    ['the list', 'ignored'],
    ['a filter by id', 'honoured'],
  ] as const)('is not taken for interrupted while the provider is asked again for %s', async (_, filter) => {
    const [payment] = fixture.add(1)
    fixture.service.lists.filter = filter
    fixture.ledger = { ...fixture.ledger, rules: { ...fixture.ledger.rules, pollIntervalMs: 300 } }
    await fixture.ledger.capabilities.note({ 'eq:id': filter === 'honoured' })
    const request = listOf(payment ? [payment] : [])
    const bulk = await createBulk(fixture.ledger, fixture.actor, request)
    // It has waited for a while already.
    await fixture.store.db
      .update(bulks)
      .set({ changedAt: new Date(Date.now() - 200_000) })
      .where(eq(bulks.id, bulk.id))
    expect(await fixture.view(bulk)).toMatchObject({ state: 'failed', problem: 'interrupted' })
    fixture.service.lists.answer = () => ({ status: 503, body: '' })
    const from = fixture.service.requests.length
    const proofs = await fixture.ledger.capabilities.read()
    const prepared = prepareBulk(fixture.ledger, bulk, { request, proofs })
    await vi.waitFor(
      async () => expect(await fixture.view(bulk)).toMatchObject({ state: 'preparing', problem: null }),
      {
        timeout: 20_000,
        interval: 10,
      },
    )
    fixture.service.mend()
    await prepared
    expect(await fixture.view(bulk)).toMatchObject({ state: 'ready', count: 1 })
    // As many would have given the filter up and read the list.
    expect(fixture.service.requests.length - from).toBeLessThan(5)
  })

  test.each([
    ['PMT\0-1 and PMT-2', 'PMT\uFFFD-1 and PMT-2'],
    ['PMT\uD83D', 'PMT\uFFFD'],
  ])('is called %j as the store can keep it', async (name, kept) => {
    const bulk = await fixture.list({ ...given('pa_one'), name })
    expect((await findBulk(fixture.store.db, fixture.ledger, bulk.id)).source).toEqual({ kind: 'list', name: kept })
  })

  test('without a name is called by the payments that are part of it, as people know them', async () => {
    const [one, other, third] = [1, 2, 3].map((at) => fixture.service.add({ reference: `INV-${at}` }))
    const ids = [one, other, third].map((payment) => payment?.id ?? '')
    const bulk = await fixture.list(given('gone', ...ids, ids[0] ?? ''))
    expect([describeSource(bulk.source), bulk.count]).toEqual(['INV-1, INV-2 +1', 3])
    const nameless = await fixture.list({ ...given(ids[2] ?? ''), name: '' })
    expect(describeSource(nameless.source)).toBe('INV-3')
  })

  test('has a name while it is made, where it can’t be, and where nothing of it can be cancelled', async () => {
    const settled = fixture.service.add({ status: 'Settled', reference: 'INV-9' })
    const request = given(settled.id, 'gone')
    const made = await createBulk(fixture.ledger, fixture.actor, request)
    expect(describeSource((await fixture.view(made)).source)).toBe(`${settled.id.slice(0, 8)}…, gone`)
    const bulk = await fixture.list(request)
    expect([describeSource(bulk.source), bulk.count]).toEqual(['INV-9, gone', 0])
    fixture.service.lists.container = () => ({})
    const failed = await fixture.list(given('pa_one', 'pa_two'))
    expect([failed.state, describeSource(failed.source)]).toEqual(['failed', 'pa_one, pa_two'])
  })

  test('is called by a payment’s handle where its reference is blank', async () => {
    const { id } = fixture.service.add({ reference: ' ', handle: 'pa_one' })
    expect(describeSource((await fixture.list(given(id))).source)).toBe('pa_one')
  })

  test('says of each row what it is: duplicates, unknown and senseless ones are told, not dropped', async () => {
    const [one, other] = [fixture.service.add({ handle: 'pa_one' }), fixture.service.add({ status: 'Settled' })]
    const gone = fixture.service.add({ status: 'Cancelled' })
    const odd = fixture.service.add({ status: 'Frozen' })
    const stranger = 'b0a7c8de-0000-4000-8000-000000000001'
    const names = ['pa_one', one.id.toUpperCase(), other.id, gone.id, odd.id, stranger, stranger, 'a/b']
    const bulk = await fixture.list(given(...names))
    expect(await verdictsOf(bulk)).toEqual([
      ['pa_one', 'cancellable', one.id],
      [one.id.toUpperCase(), 'duplicate', null],
      [other.id, 'too-late', other.id],
      [gone.id, 'already-cancelled', gone.id],
      [odd.id, 'not-cancellable', odd.id],
      [stranger, 'unknown', null],
      [stranger, 'duplicate', null],
      ['a/b', 'malformed', null],
    ])
    expect(bulk).toMatchObject({ state: 'ready', count: 1, digest: createHash('sha256').update(one.id).digest('hex') })
  })

  test.each(['a\0b', 'a\uD800b'])('says so of a payment whose id the store cannot hold: %j', async (id) => {
    const [one] = [fixture.service.add(), fixture.service.add({ id, handle: 'pa_odd' })]
    expect(await verdictsOf(await fixture.list(given(one.id, id, 'pa_odd')))).toEqual([
      [one.id, 'cancellable', one.id],
      ['a\uFFFDb', 'unstorable', null],
      ['pa_odd', 'duplicate', null],
    ])
    expect(await verdictsOf(await fixture.list(byFilter))).toEqual([
      [one.id, 'cancellable', one.id],
      ['a\uFFFDb', 'unstorable', null],
    ])
  })

  test('takes a reference for its payment only where it has one, and never before an id or a handle', async () => {
    const one = fixture.service.add({ reference: 'INV/2026/1' })
    const twin = fixture.service.add({ reference: 'INV-2', handle: 'pa_twin' })
    fixture.service.add({ reference: 'INV-2', status: 'Settled' })
    const named = fixture.service.add({ handle: 'INV-3' })
    fixture.service.add({ reference: 'INV-3' })
    const bulk = await fixture.list(given('INV/2026/1', ' INV-2 ', 'pa_twin', 'INV-3', 'none', 'a/b', one.id))
    expect(await verdictsOf(bulk)).toEqual([
      ['INV/2026/1', 'cancellable', one.id],
      ['INV-2', 'ambiguous', null],
      ['pa_twin', 'cancellable', twin.id],
      ['INV-3', 'cancellable', named.id],
      ['none', 'unknown', null],
      ['a/b', 'malformed', null],
      [one.id, 'duplicate', null],
    ])
  })

  test('counts and adds up per currency, live apart from test, exactly', async () => {
    const payments = [
      fixture.service.add({ amount: 9_007_199_254_740_991, test: false }),
      fixture.service.add({ amount: 9_007_199_254_740_991, test: false }),
      fixture.service.add({ amount: 5, test: true }),
      fixture.service.add({ amount: 7, currency: 'EUR', test: false }),
      fixture.service.add({ amount: 1, currency: 'EUR' }),
    ]
    expect((await fixture.list(listOf(payments))).sums).toEqual([
      { mode: 'live', currency: 'DKK', count: 2, sum: '18014398509481982' },
      { mode: 'live', currency: 'EUR', count: 1, sum: '7' },
      { mode: 'test', currency: 'DKK', count: 1, sum: '5' },
      { mode: 'unsaid', currency: 'EUR', count: 1, sum: '1' },
    ])
  })

  test('knows a payment that somebody is cancelling already', async () => {
    const [payment] = fixture.add(1)
    if (!payment) throw new Error('there is no payment')
    await fixture.start([payment])
    expect(await verdictsOf(await fixture.list(listOf([payment])))).toEqual([[payment.id, 'in-hand', payment.id]])
  })
})

describe('all that match a filter', () => {
  test('make no list when a payment is met twice: another may have passed unseen (BK-11)', async () => {
    const payments = fixture.add(150)
    const moved = payments[99]
    const answerTwice = (lasts: boolean) => (one: { results: unknown[]; hasMore: unknown }) => {
      if (one.hasMore === true) return one
      if (!lasts) fixture.service.lists.container = (plain) => plain
      return { ...one, results: [moved, ...one.results] }
    }
    fixture.service.lists.container = answerTwice(true)
    expect(await fixture.list(byFilter)).toMatchObject({ state: 'failed', problem: 'list-moved', count: 0 })
    // Read once more: a list that no longer changes is whole.
    fixture.service.lists.container = answerTwice(false)
    expect(await fixture.list(byFilter)).toMatchObject({ state: 'ready', count: 150 })
  })

  test('are read to the end of the list, each once, whether the service filters or not', async () => {
    const payments = fixture.add(230)
    fixture.service.add({ status: 'Settled' })
    const plain = await fixture.list(byFilter)
    expect(plain).toMatchObject({ state: 'ready', count: 230 })
    // Proven, but ignored: one payment that does not match shows it.
    expect(await fixture.list(byFilter, { 'eq:status': true })).toMatchObject({ count: 230, digest: plain.digest })
    expect(await fixture.list({ ...byFilter, filter: null })).toMatchObject({ state: 'ready', count: 230 })
    expect(payments).toHaveLength(230)
  })

  test.each([
    ['a cursor is missing', (one: object) => ({ ...one, hasMore: true, nextOffset: null }), 'list-incomplete'],
    ['a cursor comes again', (one: object) => ({ ...one, hasMore: true, nextOffset: '100' }), 'list-incomplete'],
    ['nothing says that it ended', (one: object) => ({ ...one, hasMore: undefined }), 'list-incomplete'],
    [
      'an entry cannot be read',
      (one: { results: unknown[] }) => ({ ...one, results: [...one.results, 7] }),
      'unreadable-entries',
    ],
    [
      'an entry has no id',
      (one: { results: unknown[] }) => ({ ...one, results: [...one.results, { amount: 1 }] }),
      'unreadable-entries',
    ],
  ])('make no list when %s: an incomplete walk blocks it (BK-11)', async (_, container, problem) => {
    fixture.add(150)
    fixture.service.lists.container = container
    const bulk = await fixture.list(byFilter)
    expect(bulk).toMatchObject({ state: 'failed', problem, count: 0, digest: null })
    expect(await verdictsOf(bulk)).toEqual([])
    await expect(
      startBulk(fixture.ledger, fixture.actor, {
        bulkId: bulk.id,
        given: { ...confirm(bulk), count: 1, digest: 'a'.repeat(64) },
      }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  test('are frozen: what comes to the list afterwards is no part of it', async () => {
    fixture.add(3)
    const bulk = await fixture.list(byFilter)
    const late = fixture.service.add()
    await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })
    const rows = await fixture.rowsOf(bulk)
    expect(rows).toHaveLength(3)
    expect(rows.map(({ paymentId }) => paymentId)).not.toContain(late.id)
  })

  test(`are refused beyond ${MAX_BULK_PAYMENTS}`, async () => {
    const many: ServicePayment[] = []
    for (let index = 0; index <= MAX_BULK_PAYMENTS; index += 1) many.push(fixture.service.add())
    expect(await fixture.list(byFilter)).toMatchObject({ state: 'failed', problem: 'too-many' })
    expect(many.length).toBe(MAX_BULK_PAYMENTS + 1)
  })
})

describe('a list is started', () => {
  test.each([
    ['another count', { count: 4 }],
    ['another hash', { digest: 'f'.repeat(64) }],
    ['another sum', { sums: [{ mode: 'unsaid' as const, currency: 'DKK', count: 3, sum: '1' }] }],
    ['no sum at all', { sums: [] }],
  ])('never with %s than was kept: 409 and nothing written (BK-03)', async (_, change) => {
    const bulk = await fixture.list(listOf(fixture.add(3)))
    const given = { ...confirm(bulk), ...change }
    await expect(startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given })).rejects.toMatchObject({
      code: 'changed-since-seen',
      status: 409,
    })
    expect(await fixture.rowsOf(bulk)).toEqual([])
    expect(await fixture.view(bulk)).toMatchObject({ state: 'ready' })
  })

  test('with a reason for each row, or not at all', async () => {
    const [one, other] = fixture.add(2)
    if (!one || !other) throw new Error('there are no payments')
    const rows = [
      { given: one.id, reason: 'Of the file' },
      { given: other.id, reason: null },
    ]
    const bulk = await fixture.list({ kind: 'list', name: 'a.csv', rows })
    const start = (given: ReturnType<typeof confirm> & { reasons?: Record<string, string> }) =>
      startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given })
    await expect(start(confirm(bulk, null))).rejects.toMatchObject({ code: 'bad-request' })
    expect(await fixture.rowsOf(bulk)).toEqual([])
    await start({ ...confirm(bulk, null), reasons: { 1: 'Typed' } })
    const reasons = new Map((await fixture.rowsOf(bulk)).map(({ paymentId, reason }) => [paymentId, reason]))
    expect([reasons.get(one.id), reasons.get(other.id)]).toEqual(['Of the file', 'Typed'])
  })

  test('with one reason for all: it counts for rows too that came with their own', async () => {
    const [one, other] = fixture.add(2)
    if (!one || !other) throw new Error('there are no payments')
    const rows = [
      { given: one.id, reason: 'Of the file' },
      { given: other.id, reason: null },
    ]
    const bulk = await fixture.list({ kind: 'list', name: 'a.csv', rows })
    await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk, 'For all') })
    expect((await fixture.rowsOf(bulk)).map(({ reason }) => reason)).toEqual(['For all', 'For all'])
  })

  test('others are served while its intents are written', async () => {
    const bulk = await fixture.list(listOf(fixture.add(1_000)))
    let isStarting = true
    let turns = 0
    const count = () => {
      turns += 1
      if (isStarting) setImmediate(count)
    }
    setImmediate(count)
    await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })
    isStarting = false
    // Yields to the event loop: one per two hundred intents, and one while their log entries are written.
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  test('once: the same confirmation again changes nothing', async () => {
    const bulk = await fixture.list(listOf(fixture.add(3)))
    const start = () => startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })
    const answers = await Promise.allSettled([start(), start(), start()])
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await start()).toMatchObject({ state: 'running' })
    expect(await fixture.rowsOf(bulk)).toHaveLength(3)
  })

  test('with one reason: who confirms it again with another is told which one counts', async () => {
    const bulk = await fixture.list(listOf(fixture.add(2)))
    const start = (reason: string) =>
      startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk, reason) })
    await start('Ordered twice')
    await expect(start('The shop is closed')).rejects.toMatchObject({
      code: 'conflict',
      evidence: { detail: expect.stringContaining('“Ordered twice”') },
    })
    expect((await fixture.rowsOf(bulk)).map(({ reason }) => reason)).toEqual(['Ordered twice', 'Ordered twice'])
  })

  test('beside another that overlaps: one cancellation for each payment (BK-07)', async () => {
    const payments = fixture.add(40)
    const lists = [
      await fixture.list(listOf(payments.slice(0, 30))),
      await fixture.list(listOf(payments.slice(10).toReversed())),
    ]
    await Promise.all(
      lists.map((bulk) => startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })),
    )
    const rows = (await Promise.all(lists.map((bulk) => fixture.rowsOf(bulk)))).flat()
    expect(rows).toHaveLength(40)
    expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(40)
    const left = (await Promise.all(lists.map((bulk) => fixture.view(bulk)))).map(({ counts }) => counts.left)
    expect(left.reduce((sum, one) => sum + one)).toBe(20)
  })
})
