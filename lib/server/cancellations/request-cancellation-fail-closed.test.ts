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

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

async function refusalOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw new Error('was not refused', { cause: error })
}

/** A ledger whose store fails from one step on. */
function dieAt(last: Step): Ledger {
  let dead = false
  const db: Database = new Proxy(fixture.store.db, {
    get: (target, name) => {
      if (dead && name === 'transaction') return () => Promise.reject(new Error('the store is gone'))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const step = async (name: Step) => {
    if (name === last) dead = true
  }
  return { ...fixture.ledger, db, step }
}

test('a store that is read-only: 503 and no request', async () => {
  const payment = fixture.service.add()
  await fixture.store.db.execute(sql`set default_transaction_read_only = on`)
  try {
    const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(payment)))
    expect(refusal).toMatchObject({ code: 'store-unavailable', status: 503 })
  } finally {
    await fixture.store.db.execute(sql`set default_transaction_read_only = off`)
  }
  expect(fixture.deletesOf(payment)).toEqual([])
  expect(await fixture.store.db.$count(cancellations, sql`payment_id = ${payment.id}`)).toBe(0)
})

test('a store that is closed: 503 and no request', async () => {
  const closed = await openMemoryStore()
  await closed.close()
  const payment = fixture.service.add()
  const refusal = await refusalOf(
    requestCancellation(makeTestLedger(closed, fixture.service.url), fixture.actor, askFor(payment)),
  )
  expect(refusal.code).toBe('store-unavailable')
  expect(fixture.deletesOf(payment)).toEqual([])
})

test('a log that refuses its row takes the intent back with it', async () => {
  const payment = fixture.service.add()
  await fixture.store.db.execute(
    sql`alter table activity add constraint refuse check (object_id <> ${sql.raw(`'${payment.id}'`)})`,
  )
  const refusal = await refusalOf(requestCancellation(fixture.ledger, fixture.actor, askFor(payment)))
  expect(refusal.code).toBe('store-unavailable')
  expect(fixture.deletesOf(payment)).toEqual([])
  expect(await fixture.store.db.$count(cancellations, sql`payment_id = ${payment.id}`)).toBe(0)
})

test('a store that dies after the request went out: unknown, and the truth once it is back', async () => {
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(dieAt('after-reply'), fixture.actor, askFor(payment))
  expect(cancellation).toMatchObject({ outcome: 'unknown', closed: false })
  expect((await readRow(fixture.ledger, cancellation.id)).state).toBe('sending')
  expect(await settleLedger(shiftClock(fixture.ledger, 30_000), cancellation.id)).toMatchObject({ state: 'cancelled' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})

test('a store that dies before the request went out: nothing is sent until it is back', async () => {
  const payment = fixture.service.add()
  const { cancellation } = await requestCancellation(dieAt('after-intent'), fixture.actor, askFor(payment))
  expect(cancellation).toMatchObject({ outcome: 'sending', closed: false })
  expect(fixture.deletesOf(payment)).toEqual([])
  expect(await settleLedger(shiftClock(fixture.ledger, 30_000), cancellation.id)).toMatchObject({ state: 'cancelled' })
  expect(fixture.deletesOf(payment)).toHaveLength(1)
})
