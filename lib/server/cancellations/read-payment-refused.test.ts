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

let bench: LedgerFixture

beforeAll(async () => {
  bench = await LedgerFixture.start()
  // 61 pages: more than somebody who waits can have walked.
  for (let count = 0; count < 6_100; count += 1) bench.service.add()
  // The desk has read its lists before, and knows the size of their pages.
  await bench.ledger.call(listPayments, { query: { limit: 100 } })
})

beforeEach(async () => {
  await bench.store.db.delete(capabilities)
  bench.service.mend()
  bench.ledger = openDesk()
})

afterAll(() => bench.close())

/** One process of a desk on the bench's store; each remembers nothing of its own. */
function openDesk(): Ledger {
  return makeTestLedger(bench.store, bench.service.url, { parts: { isAlone: false } })
}

/** Cancels a payment at the end of the list and answers what became of it and how the lists were read for that. */
async function cancelLast(ledger: Ledger) {
  const from = bench.service.requests.length
  const payment: ServicePayment = bench.service.add()
  const outcome = await requestCancellation(ledger, bench.actor, askFor(payment)).then(
    ({ cancellation }) => cancellation.outcome,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
  const reads = bench.service.requests.slice(from).filter(({ method }) => method === 'GET')
  return {
    outcome,
    filtered: reads.filter(isFiltered).length,
    plain: reads.filter((read) => !isFiltered(read)).length,
  }
}

const isFiltered = ({ path }: Pick<RecordedRequest, 'path'>) => path.includes('filter=')
const requestedByFilter = { outcome: 'requested', filtered: 1, plain: 0 }
const notRead = { outcome: 'confirmation-needed' }

/** Answers the next so many filtered reads like this; null is what a sound service says. */
function answerFiltered(...scripts: (Script | null)[]): void {
  bench.service.lists.answer = (request) => (isFiltered(request) ? (scripts.shift() ?? null) : null)
}

async function age(hours: number): Promise<void> {
  await bench.store.db.update(capabilities).set({ provenAt: sql`now() - ${hours} * interval '1 hour'` })
}

test('one filtered read that is refused in passing asks nobody and stops no later read: 400', async () => {
  answerFiltered({ status: 400, body: '{}' })
  expect(await cancelLast(bench.ledger)).toEqual({ ...requestedByFilter, filtered: 2, plain: 1 })
  expect(await cancelLast(bench.ledger)).toEqual(requestedByFilter)
  // After a restart, and at a second desk.
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a filter that was proven stays so while the whole list is refused', async () => {
  await cancelLast(bench.ledger)
  bench.service.lists.answer = () => ({ status: 404, body: '{}' })
  expect(await cancelLast(bench.ledger)).toMatchObject(notRead)
  bench.service.mend()
  expect(await cancelLast(bench.ledger)).toEqual(requestedByFilter)
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
  await cancelLast(bench.ledger)
  expect(await bench.ledger.capabilities.read()).toEqual({})
  answerFiltered()
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a filtered read without an answer proves nothing', async () => {
  answerFiltered({ hang: true })
  const hasty = { ...bench.ledger, rules: { ...bench.ledger.rules, guardDeadline: 150 } }
  expect(await cancelLast(hasty)).toMatchObject(notRead)
  expect(await cancelLast(bench.ledger)).toEqual(requestedByFilter)
})

test('a service that ignores filters is found out by a stranger in its reply, and is tried again an hour later', async () => {
  bench.service.lists.filter = 'ignored'
  expect(await cancelLast(bench.ledger)).toMatchObject({ ...notRead, filtered: 1, plain: 50 })
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0, plain: 50 })
  await age(1)
  bench.service.lists.filter = 'honoured'
  expect(await cancelLast(openDesk())).toEqual(requestedByFilter)
})

test('a proof is renewed by use after a day, and given up for a stranger at any time', async () => {
  await cancelLast(bench.ledger)
  await age(24)
  expect(await bench.ledger.capabilities.read()).toEqual({})
  expect(await cancelLast(bench.ledger)).toEqual(requestedByFilter)
  expect(await bench.ledger.capabilities.read()).toEqual({ 'eq:id': true })
  bench.service.lists.filter = 'ignored'
  expect(await cancelLast(bench.ledger)).toMatchObject({ ...notRead, filtered: 1 })
  expect(await openDesk().capabilities.read()).toEqual({ 'eq:id': false })
})

test('a refusal counts once the plain list was given and the filter was refused again, and no longer than an hour', async () => {
  bench.service.lists.filter = 'rejected'
  expect(await cancelLast(bench.ledger)).toMatchObject({ ...notRead, filtered: 2, plain: 1 + 50 })
  expect(await cancelLast(openDesk())).toMatchObject({ ...notRead, filtered: 0, plain: 50 })
  await age(1)
  expect(await cancelLast(bench.ledger)).toMatchObject({ ...notRead, filtered: 2 })
  bench.service.mend()
  await age(1)
  expect(await cancelLast(bench.ledger)).toEqual(requestedByFilter)
})
