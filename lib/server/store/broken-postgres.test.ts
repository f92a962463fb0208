import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { requestCancellation } from '../cancellations/request-cancellation'
import { startBulk } from '../bulk-cancellations/start-bulk'
import { cancellations, connections, defaultConnectionId } from './schema'
import { storeMigrations } from './store'
import { BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { askFor } from '../testing/ledger-fixture'
import { makeMigratedDatabase } from '../testing/store-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '../testing/payment-ledger-service'
import { makeActor, makeTestLedger } from '../testing/test-ledger'

let postgres: TestPostgres
let service: PaymentLedgerService
let url: string
let proxy: PostgresProxy
/** Through the proxy like the desk, and directly for verification. */
let store: OpenDatabase
let judge: OpenDatabase

const timeouts = { connect: 6_000, answer: 4_000, idleInTransaction: 1_500 }

beforeAll(async () => {
  postgres = await startPostgres()
  service = await startPaymentLedgerService()
})
beforeEach(async () => {
  service.mend()
  service.deletes.length = 0
  url = await makeMigratedDatabase(postgres.url)
  proxy = await PostgresProxy.start(url)
  judge = await openDatabase({ url, migrationsFolder: storeMigrations })
  await judge.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  store = await openDatabase({ url: proxy.url, migrationsFolder: storeMigrations, timeouts })
})
afterEach(async () => {
  await store.close()
  await judge.close()
  await proxy.close()
})
afterAll(async () => {
  await service.close()
  await postgres.stop()
})

const stateOf = async (paymentId: string) =>
  (await judge.db.select().from(cancellations).where(eq(cancellations.paymentId, paymentId))).map(({ state }) => state)
const outcomeOf = (work: ReturnType<typeof requestCancellation>) =>
  work.then(
    ({ cancellation }) => cancellation.outcome,
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )

describe('the answer to the COMMIT of an intent is lost', () => {
  test.each([
    { isDelivered: true, after: 'reset' },
    { isDelivered: true, after: 'silence' },
    { isDelivered: false, after: 'reset' },
    { isDelivered: false, after: 'silence' },
  ] as const)('%j: it is found, or written again, and sent once', async (how) => {
    const ledger = makeTestLedger(store, service.url)
    const payment = service.add()
    const lost = proxy.loseNextCommit(how)
    expect(await outcomeOf(requestCancellation(ledger, makeActor(), askFor(payment)))).toBe('requested')
    await lost
    expect(service.deletes).toMatchObject([{ paymentId: payment.id, effective: true }])
    expect(await stateOf(payment.id)).toEqual(['accepted'])
    expect(await verifyChain(judge.db)).toMatchObject({ holds: true })
  })

  test('and nothing answers after it: the user is told that it may be done, and the same key finds it', async () => {
    const ledger = makeTestLedger(store, service.url)
    const payment = service.add()
    const [actor, instruction] = [makeActor(), askFor(payment)]
    const lost = proxy.loseNextCommit({ isDelivered: true, after: 'reset' }).then(() => proxy.freeze())
    const told = requestCancellation(ledger, actor, instruction)
    await expect(told).rejects.toMatchObject({ code: 'outcome-unknown', status: 503 })
    await lost
    expect(service.deletes).toEqual([])
    expect(await stateOf(payment.id)).toEqual(['intended'])
    proxy.pass()
    expect(await requestCancellation(ledger, actor, instruction)).toMatchObject({ replayed: true })
    expect(await stateOf(payment.id)).toHaveLength(1)
  })

  test('and the merchant says no meanwhile: what the store answers is definite', async () => {
    const ledger = makeTestLedger(store, service.url)
    const payment = service.add()
    await judge.db.update(connections).set({ removedAt: new Date() })
    expect(await outcomeOf(requestCancellation(ledger, makeActor(), askFor(payment)))).toBe('not-found')
  })
})

test.each([true, false])(
  'the answer to the COMMIT that starts a bulk is lost (delivered: %s): it runs',
  async (isDelivered) => {
    const bench = await BulkFixture.start(store)
    const payments = bench.add(3)
    const view = await bench.list(listOf(payments))
    const lost = proxy.loseNextCommit({ isDelivered, after: 'reset' })
    const started = await startBulk(bench.ledger, bench.actor, { bulkId: view.id, given: confirm(view) })
    await lost
    expect(started.state).toBe('running')
    expect(await judge.db.$count(cancellations)).toBe(3)
    await bench.service.close()
  },
)

test('a connection dies silently while an outcome is committed: other cancellations go on meanwhile', async () => {
  // A late timeout: the others finish before, even on a busy machine.
  const own = await openDatabase({
    url: proxy.url,
    migrationsFolder: storeMigrations,
    timeouts: { ...timeouts, answer: 100_000 },
  })
  const ledger = makeTestLedger(own, service.url)
  const stuck = service.add()
  let lost = Promise.resolve()
  service.next(stuck, {
    // The COMMIT after the DELETE is that of its outcome.
    after: () => {
      lost = proxy.loseNextCommit({ isDelivered: false, after: 'silence' })
    },
  })
  let isOver = false
  const first = outcomeOf(requestCancellation(ledger, makeActor(), askFor(stuck))).finally(() => {
    isOver = true
  })
  while (service.deletes.length === 0) await pause(10)
  await lost
  const others = await Promise.all(
    Array.from({ length: 14 }, () => outcomeOf(requestCancellation(ledger, makeActor(), askFor(service.add())))),
  )
  expect(new Set(others)).toEqual(new Set(['requested']))
  expect(isOver).toBe(false)
  proxy.reset()
  expect(await first).toBe('requested')
  expect(await stateOf(stuck.id)).toEqual(['accepted'])
  expect(await verifyChain(judge.db)).toMatchObject({ holds: true })
  await own.close()
})

test('a desk whose Postgres has died silently in the middle of a cancellation ends when it is asked to, with 0', async () => {
  const child = spawn(
    process.execPath,
    ['scripts/run-program.mjs', 'lib/server/testing/processes/stop-process.ts', '1000'],
    {
      env: {
        PATH: process.env.PATH ?? '',
        NODE_ENV: 'test',
        DATABASE_URL: proxy.url,
        NEXTAUTH_SECRET: 'a secret for tests that is long enough',
        UPSTREAM_URL: service.url,
        UPSTREAM_AUTH: 'none',
        DESK_ADMIN_EMAIL: 'ann@example.com',
        DESK_ADMIN_PASSWORD: 'moss-covered lantern',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'close')
  const [port]: unknown[] = await once(child.stdout, 'data')
  const payment = service.add()
  service.next(payment, { after: () => proxy.freeze() })
  const asked = fetch(`http://127.0.0.1:${String(port).trim()}`, {
    method: 'POST',
    body: JSON.stringify(askFor(payment)),
  })
  asked.catch(() => undefined)
  while (service.deletes.length === 0) await pause(10)
  child.kill('SIGTERM')
  const late = pause(15_000, 'the desk has not ended', { ref: false })
  expect(await Promise.race([ended, late])).toEqual([0, null])
  proxy.pass()
})

test('a server that defaults to REPEATABLE READ refuses no cancellation', async () => {
  const name = new URL(url).pathname.slice(1)
  await judge.db.execute(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  const own = await openDatabase({ url, migrationsFolder: storeMigrations })
  const ledger = makeTestLedger(own, service.url)
  const outcomes = await Promise.all(
    Array.from({ length: 80 }, () => outcomeOf(requestCancellation(ledger, makeActor(), askFor(service.add())))),
  )
  expect(outcomes.filter((outcome) => outcome !== 'requested')).toEqual([])
  await own.close()
})
