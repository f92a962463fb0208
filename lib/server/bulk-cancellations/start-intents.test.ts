import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import { connectionSettings } from '@/lib/domain/merchant-connection'
import { verifyChain } from '../activity-log/hash-chain'
import type { Step } from '../cancellations/ledger'
import { requestCancellation } from '../cancellations/request-cancellation'
import { removeConnection } from '../merchants/commands'
import { bulks } from '../store/bulk-schema'
import { cancellations, connections } from '../store/schema'
import { addActor, BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { askFor } from '../testing/ledger-fixture'
import { addAdmin } from '../testing/store-fixture'
import { changeBulk } from './change-bulk'
import { startBulk } from './start-bulk'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

/** Starts a list and runs `meanwhile` before its nth part, counted from 1. */
function start(
  bulk: BulkView,
  {
    given = confirm(bulk),
    meanwhile,
  }: { given?: ReturnType<typeof confirm>; meanwhile?: (part: number) => unknown } = {},
) {
  let part = 0
  const step = async (name: Step) => {
    if (name !== 'before-part-of-start') return
    part += 1
    await meanwhile?.(part)
  }
  return startBulk({ ...fixture.ledger, step }, fixture.actor, { bulkId: bulk.id, given })
}

/** Up to the third part. */
async function startAndBreak(bulk: BulkView) {
  const meanwhile = (part: number) => {
    if (part === 3) throw new Error('the store is away')
  }
  expect(await start(bulk, { meanwhile })).toMatchObject({ state: 'starting' })
}

const countIntents = (bulk: BulkView) => fixture.store.db.$count(cancellations, eq(cancellations.bulkId, bulk.id))

test('others read the store between its parts', async () => {
  const bulk = await fixture.list(listOf(fixture.add(1_000)))
  const counts = new Set<number>()
  let isOver = false
  const read = async (): Promise<void> => {
    counts.add(await countIntents(bulk))
    await nextTurn()
    if (!isOver) await read()
  }
  const starting = start(bulk).finally(() => {
    isOver = true
  })
  await read()
  const between = [...counts].filter((count) => count > 0 && count < 1_000)
  expect(between.length).toBeGreaterThanOrEqual(3)
  expect(await starting).toMatchObject({ state: 'running', confirmed: null })
})

test('nothing of it is sent, or taken up by itself, before all of its intents are written', async () => {
  const bulk = await fixture.list(listOf(fixture.add(300)))
  const seen: unknown[] = []
  await fixture.work()
  await start(bulk, {
    meanwhile: async () => {
      await wait(600)
      const { state, written, counts } = await fixture.view(bulk)
      seen.push([state, written, counts.unsent, fixture.service.deletes.length])
    },
  })
  expect(seen).toEqual([
    ['starting', 0, 0, 0],
    ['starting', 200, 200, 0],
    ['starting', 300, 300, 0],
  ])
  await fixture.watch(bulk, ({ settled }) => settled > 0)
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('one that was broken off is taken up by the next desk, as it was confirmed', async () => {
  const payments = fixture.add(500)
  const rows = payments.map(({ id }, index) => ({ given: id, reason: `Of row ${index}` }))
  const bulk = await fixture.list({ kind: 'list', name: null, rows })
  const given = { ...confirm(bulk, null), reasons: { 450: 'Typed' } }
  const broken = await start(bulk, {
    given,
    meanwhile: (part) => {
      if (part === 3) throw new Error('the store is away')
    },
  })
  expect(broken.state).toBe('starting')
  expect(await fixture.view(bulk)).toMatchObject({ written: 400, counts: { unsent: 400 } })
  await fixture.work()
  expect(await fixture.watch(bulk, ({ settled }) => settled > 0)).toMatchObject({ state: 'running', written: 500 })
  const reasons = new Map((await fixture.rowsOf(bulk)).map(({ paymentId, reason }) => [paymentId, reason]))
  expect(reasons.size).toBe(500)
  const told = [10, 420, 450].map((row) => reasons.get(payments[row]?.id ?? ''))
  expect(told).toEqual(['Of row 10', 'Of row 420', 'Typed'])
  expect((await fixture.actionsOf(bulk)).map(([action]) => action)).toEqual(['bulk.created', 'bulk.started'])
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('confirmed again after it was broken off it goes on, with the same reasons alone', async () => {
  const bulk = await fixture.list(listOf(fixture.add(500)))
  await startAndBreak(bulk)
  await expect(start(bulk, { given: confirm(bulk, 'Another') })).rejects.toMatchObject({ code: 'conflict' })
  const other = await addActor(fixture.store)
  const again = await startBulk(fixture.ledger, other, { bulkId: bulk.id, given: confirm(bulk) })
  expect(again).toMatchObject({ state: 'running', userId: fixture.actor.userId })
  expect(await countIntents(bulk)).toBe(500)
})

test('stopped meanwhile it ends, nothing is sent, and its payments can be cancelled again', async () => {
  const payments = fixture.add(500)
  const bulk = await fixture.list(listOf(payments))
  await fixture.work()
  const stop = () => changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
  const ended = await start(bulk, { meanwhile: (part) => part === 3 && stop() })
  expect(ended).toMatchObject({ state: 'stopped', confirmed: null })
  const rows = await fixture.rowsOf(bulk)
  expect(rows).toHaveLength(400)
  expect(new Set(rows.map(({ state, outcomeReason }) => `${state} ${outcomeReason}`))).toEqual(
    new Set(['not-cancelled stopped']),
  )
  await wait(600)
  expect(fixture.service.deletes).toHaveLength(0)
  const [first] = payments
  if (!first) throw new Error('there are no payments')
  expect((await requestCancellation(fixture.ledger, fixture.actor, askFor(first))).replayed).toBe(false)
  expect((await fixture.actionsOf(bulk)).map(([action]) => action)).toEqual([
    'bulk.created',
    'bulk.started',
    'bulk.stopped',
  ])
})

test('broken off and stopped, no desk takes it up', async () => {
  const bulk = await fixture.list(listOf(fixture.add(500)))
  await startAndBreak(bulk)
  await changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
  await fixture.work()
  await wait(600)
  expect(await fixture.view(bulk)).toMatchObject({
    state: 'stopped',
    written: 400,
    settled: 500,
    counts: { unsent: 0, 'not-cancelled': 500 },
  })
  expect(fixture.service.deletes).toHaveLength(0)
})

test('a payment that somebody asks for between two parts is left to them', async () => {
  const payments = fixture.add(500)
  const bulk = await fixture.list(listOf(payments))
  const [last] = payments.slice(-1)
  if (!last) throw new Error('there are no payments')
  const other = await addActor(fixture.store)
  await start(bulk, { meanwhile: (part) => part === 2 && requestCancellation(fixture.ledger, other, askFor(last)) })
  expect(await fixture.view(bulk)).toMatchObject({ state: 'running', written: 500, counts: { unsent: 499, left: 1 } })
  expect((await fixture.rowsOf(bulk)).map(({ paymentId }) => paymentId)).not.toContain(last.id)
})

test('a payment whose open cancellation ends just then is left to nobody: the bulk cancels it', async () => {
  const [payment, ...others] = fixture.add(3)
  if (!payment) throw new Error('there are no payments')
  const bulk = await fixture.list(listOf([payment, ...others]))
  fixture.service.next(payment, { effect: false, answer: { status: 202, headers: {}, body: '' } })
  await requestCancellation(fixture.ledger, await addActor(fixture.store), askFor(payment))
  // Between the insert that meets it and the statement after.
  await fixture.store.db.execute(sql`
    create function end_singles() returns trigger language plpgsql as $$ begin
      update cancellations set state = 'not-cancelled', closed_at = now() where closed_at is null and bulk_id is null;
      return null;
    end $$`)
  await fixture.store.db.execute(
    sql`create trigger end_singles after insert on cancellations for each statement execute function end_singles()`,
  )
  try {
    await start(bulk)
  } finally {
    await fixture.store.db.execute(sql`drop function end_singles cascade`)
  }
  expect(await fixture.view(bulk)).toMatchObject({ state: 'running', written: 3, counts: { unsent: 3, left: 0 } })
})

test('its merchant is not removed meanwhile', async () => {
  const connectionId = `m-${randomUUID().slice(0, 8)}`
  const settings = connectionSettings.parse({ baseUrl: 'https://service.example', auth: 'none' })
  await fixture.store.db.insert(connections).values({ connectionId, name: 'Going', settings })
  const { userId, email: userEmail } = fixture.actor
  const bulk = { id: randomUUID(), connectionId, userId, userEmail, source: { kind: 'list' as const, name: null } }
  await fixture.store.db.insert(bulks).values({ ...bulk, state: 'starting' })
  const remove = removeConnection(fixture.store.db, await addAdmin(fixture.store.db, connectionId))
  await expect(remove).rejects.toMatchObject({ code: 'conflict' })
})
