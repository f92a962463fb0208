import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { openMemoryStore } from '../testing/store-fixture'
import {
  type PaymentLedgerService,
  type ServicePayment,
  startPaymentLedgerService,
} from '../testing/payment-ledger-service'
import { forgetCapabilities, makeTestLedger, shiftClock } from '../testing/test-ledger'
import { addMilliseconds, type Ledger } from './ledger'
import { measureHold } from './payment-pages'
import { readPayment, readSingle } from './read-payment'

let store: OpenDatabase
let service: PaymentLedgerService
let ledger: Ledger
let all: ServicePayment[]

beforeAll(async () => {
  store = await openMemoryStore()
  service = await startPaymentLedgerService()
  all = Array.from({ length: 450 }, () => service.add())
})

beforeEach(() => {
  service.mend()
  service.requests.length = 0
  ledger = makeTestLedger(store, service.url, { parts: { capabilities: forgetCapabilities(store) } })
})

afterAll(async () => {
  await store.close()
  await service.close()
})

function pick(index: number): ServicePayment {
  const payment = all.at(index)
  if (!payment) throw new Error('there is no such payment')
  return payment
}

test('finds a payment by a filter that the service honours, in one request', async () => {
  const last = pick(-1)
  expect(await readPayment(ledger, last.id)).toMatchObject({ kind: 'found', payment: { id: last.id, amount: 124_500 } })
  expect(service.requests).toHaveLength(1)
  expect(await ledger.capabilities.read()).toEqual({ 'eq:id': true })
})

test('finds it whatever the case of its id', async () => {
  expect(await readPayment(ledger, pick(-1).id.toUpperCase())).toMatchObject({ kind: 'found' })
})

test.each([
  ['ignored', 1],
  // Refused, while the plain list works, and refused again.
  ['rejected', 3],
] as const)('walks the list where a filter is %s, and does not try it again', async (filter, tries) => {
  service.lists.filter = filter
  expect(await readPayment(ledger, pick(-1).id)).toMatchObject({ kind: 'found', payment: { id: pick(-1).id } })
  expect(service.requests).toHaveLength(tries + 5)
  await readPayment(ledger, pick(0).id)
  expect(service.requests).toHaveLength(tries + 5 + 1)
  expect(await ledger.capabilities.read()).toEqual({ 'eq:id': false })
})

test('a list that shows a payment twice on one page did not move', async () => {
  service.lists.filter = 'ignored'
  service.lists.container = (one) => ({ ...one, results: [one.results[0], ...one.results] })
  expect(await readPayment(ledger, '00000000-0000-4000-8000-000000000000')).toEqual({ kind: 'absent' })
})

test('a list that shows a payment twice makes no other absent: it moved while it was read', async () => {
  service.lists.filter = 'ignored'
  service.lists.container = (one) => (one.hasMore === true ? one : { ...one, results: [pick(0), ...one.results] })
  const unlisted = '00000000-0000-4000-8000-000000000000'
  expect(await readPayment(ledger, unlisted)).toEqual({ kind: 'unreadable', why: 'list-moved' })
})

test('an empty answer to a filter is not absence: only a list read to its end is', async () => {
  expect(await readPayment(ledger, '00000000-0000-4000-8000-000000000000')).toEqual({ kind: 'absent' })
  expect(service.requests).toHaveLength(1 + 5)
})

const broken: [string, (service: PaymentLedgerService) => void, string][] = [
  ['ends without a word', ({ lists }) => (lists.container = ({ results }) => ({ results })), 'no-word'],
  [
    'promises more and names no offset',
    ({ lists }) => (lists.container = (read) => ({ ...read, hasMore: true, nextOffset: null })),
    'no-offset',
  ],
  [
    'repeats an offset',
    ({ lists }) => (lists.container = (read) => ({ ...read, hasMore: true, nextOffset: '100' })),
    'offset-repeated',
  ],
  [
    'holds an entry that cannot be read',
    ({ lists }) => (lists.container = (read) => ({ ...read, results: [...read.results, 7] })),
    'unreadable-entries',
  ],
  ['is refused', ({ lists }) => (lists.answer = () => ({ status: 403, body: '{}' })), 'status-403'],
  [
    'fails on its second page',
    ({ lists }) => (lists.answer = ({ path }) => (path.includes('after') ? { status: 500, body: '' } : null)),
    'status-500',
  ],
  [
    'breaks off on its second page',
    ({ lists }) =>
      (lists.answer = ({ path }) => (path.includes('after') ? { body: '{"results":[]}', resetAfterBytes: 5 } : null)),
    'upstream-bad-reply',
  ],
  [
    'is no list',
    ({ lists }) => (lists.answer = () => ({ body: '{"results":null,"hasMore":false}' })),
    'upstream-bad-reply',
  ],
]

test.each(broken)('a list that %s makes nothing absent', async (_, damage, why) => {
  service.lists.filter = 'ignored'
  damage(service)
  expect(await readPayment(ledger, '00000000-0000-4000-8000-000000000000')).toEqual({ kind: 'unreadable', why })
})

test.each([
  ['states', { status: 'Settled' }],
  ['amounts', { amount: 5 }],
  ['currencies', { currency: 'EUR' }],
])('a payment shown twice with different %s is not read', async (_, changes) => {
  const first = pick(0)
  service.lists.filter = 'ignored'
  service.lists.container = (container) => ({
    ...container,
    results: [...container.results, { ...first, ...changes }],
  })
  expect(await readPayment(ledger, first.id)).toEqual({ kind: 'unreadable', why: 'contradiction' })
})

test('a payment shown twice with its currency in other letters is read', async () => {
  const first = pick(0)
  service.lists.filter = 'ignored'
  service.lists.container = (container) => ({
    ...container,
    results: [...container.results, { ...first, currency: 'dkk' }],
  })
  expect(await readPayment(ledger, first.id)).toMatchObject({ kind: 'found' })
})

/** Adds `members` to one payment in the list, with a key that could change a prototype. */
function spoil(id: string, members = ''): void {
  service.lists.answer = ({ path }) => {
    if (path.includes('after')) return null
    const row = `{"id":"${id}","amount":100,"currency":"DKK","status":"Pending",${members}"metaData":{"__proto__":{}}}`
    return { body: `{"results":[{"id":"other"},${row}],"hasMore":false}` }
  }
}

test('a payment of which parts were left out is found by its id', async () => {
  spoil('p-bad')
  expect(await readPayment(ledger, 'p-bad')).toMatchObject({ kind: 'found', payment: { status: 'Pending' } })
  expect(await readPayment(ledger, 'other')).toMatchObject({ kind: 'found' })
})

test.each(['"status":"Settled",', '"amount":7,', '"currency":"EUR",'])(
  'a payment that contradicts itself is not read, its neighbour is: %s',
  async (members) => {
    spoil('p-bad', members)
    expect(await readPayment(ledger, 'p-bad')).toEqual({ kind: 'unreadable', why: 'contradiction' })
    expect(await readPayment(ledger, 'other')).toMatchObject({ kind: 'found' })
  },
)

test('gives up in time while somebody waits', async () => {
  service.lists.answer = () => ({ hang: true })
  const hasty = makeTestLedger(store, service.url, { rules: { guardTimeoutMs: 150 } })
  expect(await readPayment(hasty, pick(0).id)).toEqual({ kind: 'unreadable', why: 'upstream-timeout' })
})

test('a list that asks to slow down is left alone as long as it says', async () => {
  service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '1' }, body: '' })
  const read = () => readSingle(ledger, pick(0).id, { paced: true, until: addMilliseconds(ledger.clock.now(), 10_000) })
  expect(await read()).toEqual({ kind: 'unreadable', why: 'status-429' })
  service.lists.answer = () => null
  expect(await read()).toMatchObject({ kind: 'found' })
  const [first, second] = service.requests.map(({ at }) => at.getTime())
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(995)
})

describe('after 429 with Retry-After', () => {
  beforeEach(async () => {
    service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' })
    await readPayment(ledger, pick(0).id)
    service.mend()
    service.requests.length = 0
  })

  test.each([
    ['one payment', () => readPayment(ledger, pick(0).id)],
    [
      'one payment by the list',
      () => ledger.capabilities.note({ 'eq:id': false }).then(() => readPayment(ledger, pick(0).id)),
    ],
    [
      'one payment in its turn, which comes too late',
      () => readSingle(ledger, pick(0).id, { paced: true, until: addMilliseconds(ledger.clock.now(), 10_000) }),
    ],
  ])('no worker asks before that time for %s (UP-07)', async (_, read) => {
    expect(await read()).toEqual({ kind: 'unreadable', why: 'status-429' })
    expect(service.requests).toHaveLength(0)
    expect(measureHold(ledger)).toBeGreaterThan(50_000)
    ledger = shiftClock(ledger, 60_000)
    expect(measureHold(ledger)).toBe(0)
    expect(await read()).toMatchObject({ kind: 'found' })
  })

  test('a payment is read that a person waits for, and where that is answered all others again', async () => {
    expect(await readPayment(ledger, pick(0).id, { isWaitedFor: true })).toMatchObject({ kind: 'found' })
    expect(measureHold(ledger)).toBe(0)
    const soon = ledger.clock.now().getTime() + ledger.rules.listIntervalMs
    expect(ledger.memory.hasSlotBy(soon)).toBe(true)
    expect(await readPayment(ledger, pick(1).id)).toMatchObject({ kind: 'found' })
  })

  test('a read that a person waits for and that is refused again ends nothing', async () => {
    service.lists.answer = () => ({ status: 503, body: '' })
    await readPayment(ledger, pick(0).id, { isWaitedFor: true })
    expect(measureHold(ledger)).toBeGreaterThan(50_000)
  })

  test('a read that was on its way before and is answered only then ends nothing', async () => {
    const later = shiftClock(ledger, 60_000)
    service.lists.answer = () => {
      later.memory.hold(later.clock.now().getTime() + 60_000)
      return null
    }
    expect(await readPayment(later, pick(0).id)).toMatchObject({ kind: 'found' })
    expect(measureHold(later)).toBeGreaterThan(50_000)
  })

  test('a read that was given its turn before is put off too', async () => {
    const later = shiftClock(ledger, 60_000)
    const pace = { paced: true, until: addMilliseconds(later.clock.now(), 10_000) }
    const now = later.clock.now().getTime()
    later.memory.reserveSlot({ now, until: Infinity, spacing: 300 })
    const read = readSingle(later, pick(0).id, pace)
    // It has the slot 300 ms later.
    await vi.waitFor(() => expect(later.memory.hasSlotBy(now + 300)).toBe(false))
    later.memory.hold(now + 60_000)
    expect(await read).toEqual({ kind: 'unreadable', why: 'status-429' })
    expect(service.requests).toHaveLength(0)
  })
})
