import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listPayments } from '@/lib/api-contract/payments'
import { AppError } from '../runtime/app-error'
import { capabilities } from '../store/schema'
import type { RecordedRequest, Script } from '../testing/fault-service'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import type { ServicePayment } from '../testing/payment-ledger-service'
import { makeTestLedger } from '../testing/test-ledger'
import type { Ledger } from './ledger'
import { requestCancellation } from './request-cancellation'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
  // 61 pages: more than a user's request may read.
  for (let count = 0; count < 6_100; count += 1) fixture.service.add()
  // The desk has already negotiated the page size.
  await fixture.ledger.call(listPayments, { query: { limit: 100 } })
})

beforeEach(async () => {
  await fixture.store.db.delete(capabilities)
  fixture.service.mend()
  fixture.ledger = openDesk()
})

afterAll(() => fixture.close())

/** A process of a desk on the fixture's store, without memory. */
function openDesk(): Ledger {
  return makeTestLedger(fixture.store, fixture.service.url, { parts: { isAlone: false } })
}

/** Cancels the list's last payment; returns the outcome and how the list was read. */
async function cancelLast(ledger: Ledger) {
  const from = fixture.service.requests.length
  const payment: ServicePayment = fixture.service.add()
  const outcome = await requestCancellation(ledger, fixture.actor, askFor(payment)).then(
    ({ cancellation }) => cancellation.outcome,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
  const reads = fixture.service.requests.slice(from).filter(({ method }) => method === 'GET')
  return {
    outcome,
    filtered: reads.filter(isFiltered).length,
    plain: reads.filter((read) => !isFiltered(read)).length,
  }
}

const isFiltered = ({ path }: Pick<RecordedRequest, 'path'>) => path.includes('filter=')
const requestedByFilter = { outcome: 'requested', filtered: 1, plain: 0 }
const notRead = { outcome: 'confirmation-needed' }

/** Replies to the next filtered reads; null is a correct reply. */
function answerFiltered(...scripts: (Script | null)[]): void {
  fixture.service.lists.answer = (request) => (isFiltered(request) ? (scripts.shift() ?? null) : null)
}

async function age(hours: number): Promise<void> {
  await fixture.store.db.update(capabilities).set({ provenAt: sql`now() - ${hours} * interval '1 hour'` })
}

test('one filtered read that is refused in passing asks nobody and stops no later read: 400', async () => {
  answerFiltered({ status: 400, body: '{}' })
  expect(await cancelLast(fixture.ledger)).toEqual({ ...requestedByFilter, filtered: 2, plain: 1 })
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
  // After a restart, and on a second desk.
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a filter that was proven stays so while the whole list is refused', async () => {
  await cancelLast(fixture.ledger)
  fixture.service.lists.answer = () => ({ status: 404, body: '{}' })
  expect(await cancelLast(fixture.ledger)).toMatchObject(notRead)
  fixture.service.mend()
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
})

test.each([
  { status: 500 },
  { status: 503 },
  { status: 408 },
  { status: 425 },
  { status: 429 },
  { status: 401 },
  { status: 403 },
  { body: '<html>' },
  { resetBefore: true },
])('a filtered read that is answered with %j proves nothing', async (trouble: Script) => {
  answerFiltered(trouble, trouble)
  await cancelLast(fixture.ledger)
  expect(await fixture.ledger.capabilities.read()).toEqual({})
  answerFiltered()
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a filtered read without an answer proves nothing', async () => {
  answerFiltered({ hang: true })
  const hasty = { ...fixture.ledger, rules: { ...fixture.ledger.rules, guardTimeoutMs: 150 } }
  expect(await cancelLast(hasty)).toMatchObject(notRead)
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
})

test('a service whose ids are UUIDs refuses another id, which says nothing about its filter', async () => {
  const isOfOther = ({ path }: RecordedRequest) => decodeURIComponent(path).includes('order-4711')
  fixture.service.lists.answer = (request) => (isOfOther(request) ? { status: 400, body: '{}' } : null)
  const cancelOther = () =>
    requestCancellation(fixture.ledger, fixture.actor, askFor({ ...fixture.service.add(), id: 'order-4711' }))
  await expect(cancelOther()).rejects.toMatchObject({ code: 'confirmation-needed' })
  expect(await fixture.ledger.capabilities.read()).toEqual({})
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
  await expect(cancelOther()).rejects.toMatchObject({ code: 'confirmation-needed' })
  expect(await fixture.ledger.capabilities.read()).toEqual({ 'eq:id': true })
})

test('a service that ignores filters is found out by a stranger in its reply, and is tried again an hour later', async () => {
  fixture.service.lists.filter = 'ignored'
  expect(await cancelLast(fixture.ledger)).toMatchObject({ ...notRead, filtered: 1, plain: 50 })
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0, plain: 50 })
  await age(1)
  fixture.service.lists.filter = 'honoured'
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a proof is renewed by use after a day, and given up for a stranger at any time', async () => {
  await cancelLast(fixture.ledger)
  await age(24)
  expect(await fixture.ledger.capabilities.read()).toEqual({})
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
  expect(await fixture.ledger.capabilities.read()).toEqual({ 'eq:id': true })
  fixture.service.lists.filter = 'ignored'
  expect(await cancelLast(fixture.ledger)).toMatchObject({ ...notRead, filtered: 2 })
  expect(await openDesk().capabilities.read()).toEqual({ 'eq:id': false })
})

/** A reply to a filtered read that holds another payment's record. */
function replyWithStranger(): Script {
  return { body: JSON.stringify({ results: [fixture.service.payments.values().next().value], hasMore: false }) }
}

test('one reply with a stranger in it says nothing against a filter that was proven', async () => {
  await cancelLast(fixture.ledger)
  answerFiltered(replyWithStranger())
  expect(await cancelLast(fixture.ledger)).toEqual({ ...requestedByFilter, filtered: 2 })
  expect(await openDesk().capabilities.read()).toEqual({ 'eq:id': true })
})

test('a filter that was proven and fails twice is tried again after five minutes, then after an hour', async () => {
  const pass = (minutes: number) =>
    fixture.store.db.update(capabilities).set({ provenAt: sql`proven_at - ${minutes} * interval '1 minute'` })
  await cancelLast(fixture.ledger)
  fixture.service.lists.filter = 'ignored'
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 2 })
  await pass(4)
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0 })
  await pass(1)
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 1 })
  await pass(59)
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0 })
  await pass(1)
  fixture.service.mend()
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a refusal counts once the plain list was given and the filter was refused again, and no longer than an hour', async () => {
  fixture.service.lists.filter = 'rejected'
  expect(await cancelLast(fixture.ledger)).toMatchObject({ ...notRead, filtered: 2, plain: 1 + 50 })
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0, plain: 50 })
  await age(1)
  expect(await cancelLast(fixture.ledger)).toMatchObject({ ...notRead, filtered: 2 })
  fixture.service.mend()
  await age(1)
  expect(await cancelLast(fixture.ledger)).toEqual(requestedByFilter)
})
