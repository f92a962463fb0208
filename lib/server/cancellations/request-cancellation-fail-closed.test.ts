import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { cancellations } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { openMemoryStore } from '../testing/store-fixture'
import { makeTestLedger, readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import type { Ledger, Step } from './ledger'
import { requestCancellation } from './request-cancellation'

let bench: LedgerFixture

beforeAll(async () => {
  bench = await LedgerFixture.start()
})

beforeEach(() => bench.reset())

afterAll(() => bench.close())

async function refusalOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw new Error('was not refused', { cause: error })
}

/** The ledger with a store that is gone from one step on. */
function dieAt(last: Step): Ledger {
  let dead = false
  const db: Database = new Proxy(bench.store.db, {
    get: (target, name) => {
      if (dead && name === 'transaction') return () => Promise.reject(new Error('the store is gone'))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const step = async (name: Step) => {
    if (name === last) dead = true
  }
  return { ...bench.ledger, db, step }
}

test('a store that is read-only: 503 and no request', async () => {
  const payment = bench.service.add()
  await bench.store.db.execute(sql`set default_transaction_read_only = on`)
  try {
    const refusal = await refusalOf(requestCancellation(bench.ledger, bench.actor, askFor(payment)))
    expect(refusal).toMatchObject({ code: 'store-unavailable', status: 503 })
  } finally {
    await bench.store.db.execute(sql`set default_transaction_read_only = off`)
  }
  expect(bench.deletesOf(payment)).toEqual([])
  expect(await bench.store.db.$count(cancellations, sql`payment_id = ${payment.id}`)).toBe(0)
})

test('a store that is closed: 503 and no request', async () => {
  const closed = await openMemoryStore()
  await closed.close()
  const payment = bench.service.add()
  const refusal = await refusalOf(
    requestCancellation(makeTestLedger(closed, bench.service.url), bench.actor, askFor(payment)),
  )
  expect(refusal.code).toBe('store-unavailable')
  expect(bench.deletesOf(payment)).toEqual([])
})

test('a log that refuses its row takes the intent back with it', async () => {
  const payment = bench.service.add()
  await bench.store.db.execute(
    sql`alter table activity add constraint refuse check (object_id <> ${sql.raw(`'${payment.id}'`)})`,
  )
  const refusal = await refusalOf(requestCancellation(bench.ledger, bench.actor, askFor(payment)))
  expect(refusal.code).toBe('store-unavailable')
  expect(bench.deletesOf(payment)).toEqual([])
  expect(await bench.store.db.$count(cancellations, sql`payment_id = ${payment.id}`)).toBe(0)
})

test('a store that dies after the request went out: unknown, and the truth once it is back', async () => {
  const payment = bench.service.add()
  const { cancellation } = await requestCancellation(dieAt('after-reply'), bench.actor, askFor(payment))
  expect(cancellation).toMatchObject({ outcome: 'unknown', closed: false })
  expect((await readRow(bench.ledger, cancellation.id)).state).toBe('sending')
  expect(await settleLedger(shiftClock(bench.ledger, 30_000), cancellation.id)).toMatchObject({ state: 'cancelled' })
  expect(bench.deletesOf(payment)).toHaveLength(1)
})

test('a store that dies before the request went out: nothing is sent until it is back', async () => {
  const payment = bench.service.add()
  const { cancellation } = await requestCancellation(dieAt('after-intent'), bench.actor, askFor(payment))
  expect(cancellation).toMatchObject({ outcome: 'sending', closed: false })
  expect(bench.deletesOf(payment)).toEqual([])
  expect(await settleLedger(shiftClock(bench.ledger, 30_000), cancellation.id)).toMatchObject({ state: 'cancelled' })
  expect(bench.deletesOf(payment)).toHaveLength(1)
})
