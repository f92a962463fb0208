import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdOpenWork } from '../backups/hold-open-work'
import type { Worker } from '../cancellations/worker'
import { bulks } from '../store/bulk-schema'
import { memberships } from '../store/schema'
import { addActor, BulkFixture } from '../testing/bulk-fixture'
import { changeBulk } from './change-bulk'
import { findBulk } from './queries'
import { writeBulkResult } from './result-rows'
import { runWorkers } from './worker'

let fixture: BulkFixture
let worker: Worker | undefined

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => worker?.stop())
afterAll(() => fixture.close())

test('closes what the service has put off after the stop: its payments can be cancelled again (BK-06)', async () => {
  const payments = fixture.add(2)
  const answer = { status: 429, headers: { 'retry-after': '1' }, body: '', delay: 600 }
  for (const payment of payments) fixture.service.next(payment, { answer })
  const bulk = await fixture.start(payments)
  worker = await runWorkers(fixture.ledger)
  await fixture.watch(bulk, ({ counts }) => counts.sending === 2)
  await changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
  const stopped = await fixture.watch(bulk, ({ settled }) => settled === 2)
  expect(stopped).toMatchObject({ state: 'stopped', counts: { unsent: 0, 'not-cancelled': 2 } })
  expect((await fixture.rowsOf(bulk)).map(({ outcomeReason }) => outcomeReason)).toEqual(['stopped', 'stopped'])
}, 20_000)

test('closes what a desk that died while it stopped a bulk had not closed yet', async () => {
  const bulk = await fixture.start(fixture.add(3))
  await fixture.store.db.update(bulks).set({ state: 'stopped' }).where(eq(bulks.id, bulk.id))
  worker = await runWorkers(fixture.ledger)
  await fixture.watch(bulk, ({ counts }) => counts['not-cancelled'] === 3)
  expect(fixture.service.deletes).toHaveLength(0)
}, 20_000)

test.each(['starting', 'running', 'paused'] as const)(
  'closes what a restored backup holds of a bulk that was %s as what may have been sent since',
  async (state) => {
    const bulk = await fixture.start(fixture.add(2))
    await fixture.store.db.update(bulks).set({ state }).where(eq(bulks.id, bulk.id))
    await fixture.store.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
    expect(await fixture.view(bulk)).toMatchObject({
      state: state === 'starting' ? 'stopped' : 'paused',
      problem: 'restored',
      counts: { unsent: 2 },
    })
    let result = ''
    const row = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
    for await (const part of writeBulkResult(fixture.store.db, row, 'minor')) result += part
    expect(result.match(/may have been sent since/gu)).toHaveLength(2)
    worker = await runWorkers(fixture.ledger)
    if (state !== 'starting') await changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
    await fixture.watch(bulk, ({ counts }) => counts['not-cancelled'] === 2)
    expect((await fixture.rowsOf(bulk)).map(({ outcomeReason }) => outcomeReason)).toEqual(['restored', 'restored'])
    expect(fixture.service.deletes).toHaveLength(0)
  },
  20_000,
)

test('closes what a restored backup holds and the service no longer shows as what may have been sent since', async () => {
  const bulk = await fixture.start(fixture.add(1))
  await fixture.store.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
  fixture.service.payments.clear()
  await changeBulk(fixture.ledger, bulk.id, { action: 'resume', actor: fixture.actor.email })
  worker = await runWorkers(fixture.ledger)
  await fixture.watch(bulk, ({ counts }) => counts['not-cancelled'] === 1)
  expect(await fixture.rowsOf(bulk)).toMatchObject([
    { outcomeReason: 'restored', evidence: { read: { kind: 'absent' } } },
  ])
}, 20_000)

test.each([
  [{ status: 'Cancelled' }, { state: 'cancelled', outcomeReason: 'already-cancelled' }],
  [{ status: 'Settled' }, { state: 'not-cancelled', outcomeReason: 'too-late' }],
  [{ amount: 7 }, { state: 'not-cancelled', outcomeReason: 'restored' }],
])(
  'closes what a restored backup holds and reads as %j now as %j',
  async (now, closed) => {
    const [payment] = fixture.add(1)
    if (!payment) throw new Error('there is no payment')
    const bulk = await fixture.start([payment])
    await fixture.store.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
    Object.assign(payment, now)
    await changeBulk(fixture.ledger, bulk.id, { action: 'resume', actor: fixture.actor.email })
    worker = await runWorkers(fixture.ledger)
    await fixture.watch(bulk, ({ settled }) => settled === 1)
    expect(await fixture.rowsOf(bulk)).toMatchObject([closed])
    expect(fixture.service.deletes).toHaveLength(0)
  },
  20_000,
)

/** Starts a bulk of one payment whose request the service puts off; `isRestored`: resumed after a restore. */
async function startPutOff(isRestored: boolean) {
  const [payment] = fixture.add(1)
  if (!payment) throw new Error('there is no payment')
  fixture.service.next(payment, { answer: { status: 429, headers: { 'retry-after': '1' }, body: '' } })
  const bulk = await fixture.start([payment])
  if (isRestored) {
    await fixture.store.db.transaction((tx) => holdOpenWork(tx, new Date().toISOString()))
    await changeBulk(fixture.ledger, bulk.id, { action: 'resume', actor: fixture.actor.email })
  }
  worker = await runWorkers(fixture.ledger)
  await expect.poll(async () => (await fixture.rowsOf(bulk))[0]?.state).toBe('waiting')
  return bulk
}

test('what was put off and is gone then is not said to have had no request', async () => {
  const bulk = await startPutOff(false)
  fixture.service.payments.clear()
  await fixture.watch(bulk, ({ counts }) => counts['not-cancelled'] === 1)
  expect(await fixture.rowsOf(bulk)).toMatchObject([
    { outcomeReason: 'unread-since-sent', evidence: { read: { kind: 'absent' } } },
  ])
}, 20_000)

test('what a restored backup holds may have been sent since, also once a request for it was put off', async () => {
  const bulk = await startPutOff(true)
  expect(await fixture.rowsOf(bulk)).toMatchObject([{ outcomeReason: 'restored', evidence: { restored: true } }])
  await changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
  expect(await fixture.rowsOf(bulk)).toMatchObject([{ state: 'not-cancelled', outcomeReason: 'restored' }])
}, 20_000)

test('sends none of the many that one walk has found once their author may not cancel any more', async () => {
  const author = await addActor(fixture.store)
  const payments = fixture.add(60)
  for (const payment of payments)
    fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 100 } })
  const bulk = await fixture.start(payments, author)
  await fixture.ledger.capabilities.note({ 'eq:id': false })
  worker = await runWorkers(fixture.ledger)
  await fixture.watch(bulk, ({ settled }) => settled >= 3)
  await fixture.store.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, author.userId))
  const stopped = await fixture.watch(bulk, ({ state }) => state !== 'running')
  expect(stopped).toMatchObject({ state: 'stopped', problem: 'revoked' })
  expect(fixture.service.deletes.length).toBeLessThan(50)
}, 20_000)
