import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Worker } from '../cancellations/worker'
import { bulks } from '../store/bulk-schema'
import { memberships } from '../store/schema'
import { addActor, BulkFixture } from '../testing/bulk-fixture'
import { changeBulk } from './change-bulk'
import { runWorkers } from './worker'

let bench: BulkFixture
let worker: Worker | undefined

beforeAll(async () => {
  bench = await BulkFixture.start()
})
beforeEach(() => bench.reset())
afterEach(() => worker?.stop())
afterAll(() => bench.close())

test('closes what the service has put off after the stop: its payments can be cancelled again (BK-06)', async () => {
  const payments = bench.add(2)
  const answer = { status: 429, headers: { 'retry-after': '1' }, body: '', delay: 600 }
  for (const payment of payments) bench.service.next(payment, { answer })
  const bulk = await bench.start(payments)
  worker = await runWorkers(bench.ledger)
  await bench.watch(bulk, ({ counts }) => counts.sending === 2)
  await changeBulk(bench.ledger, bulk.id, { action: 'stop', actor: bench.actor.email })
  const stopped = await bench.watch(bulk, ({ settled }) => settled === 2)
  expect(stopped).toMatchObject({ state: 'stopped', counts: { unsent: 0, 'not-cancelled': 2 } })
  expect((await bench.rowsOf(bulk)).map(({ outcomeReason }) => outcomeReason)).toEqual(['stopped', 'stopped'])
}, 20_000)

test('closes what a desk that died while it stopped a bulk had not closed yet', async () => {
  const bulk = await bench.start(bench.add(3))
  await bench.store.db.update(bulks).set({ state: 'stopped' }).where(eq(bulks.id, bulk.id))
  worker = await runWorkers(bench.ledger)
  await bench.watch(bulk, ({ counts }) => counts['not-cancelled'] === 3)
  expect(bench.service.deletes).toHaveLength(0)
}, 20_000)

test('sends none of the many that one walk has found once their author may not cancel any more', async () => {
  const author = await addActor(bench.store)
  const payments = bench.add(60)
  for (const payment of payments)
    bench.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 100 } })
  const bulk = await bench.start(payments, author)
  await bench.ledger.capabilities.note({ 'eq:id': false })
  worker = await runWorkers(bench.ledger)
  await bench.watch(bulk, ({ settled }) => settled >= 3)
  await bench.store.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, author.userId))
  const stopped = await bench.watch(bulk, ({ state }) => state !== 'running')
  expect(stopped).toMatchObject({ state: 'stopped', problem: 'revoked' })
  expect(bench.service.deletes.length).toBeLessThan(50)
}, 20_000)
