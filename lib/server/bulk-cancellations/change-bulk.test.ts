import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '@/lib/database/database'
import { memberships, users } from '../store/schema'
import { addActor, BulkFixture } from '../testing/bulk-fixture'
import { changeBulk } from './change-bulk'

let bench: BulkFixture

beforeAll(async () => {
  bench = await BulkFixture.start()
})
beforeEach(() => bench.reset())
afterEach(() => bench.rest())
afterAll(() => bench.close())

describe('a bulk that runs', () => {
  /** Each DELETE takes a while, so that something can be done meanwhile. */
  async function startSlow(count: number, delay = 60) {
    const payments = bench.add(count)
    for (const payment of payments)
      bench.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay } })
    const bulk = await bench.start(payments)
    await bench.work()
    await bench.watch(bulk, ({ settled }) => settled >= 3)
    return { payments, bulk }
  }

  /** How many DELETEs come after those on their way have ended. */
  async function countLater(milliseconds: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds / 2))
    const before = bench.service.deletes.length
    await new Promise((resolve) => setTimeout(resolve, milliseconds / 2))
    return bench.service.deletes.length - before
  }

  test('pauses, goes on, and stops: nothing is sent while it does not run, what is on its way ends (BK-06)', async () => {
    const { bulk } = await startSlow(200)
    await changeBulk(bench.ledger, bulk.id, { action: 'pause', actor: bench.actor.email })
    expect(await countLater(1_600)).toBe(0)
    const paused = await bench.view(bulk)
    expect(paused).toMatchObject({ state: 'paused', counts: { sending: 0 } })
    expect(paused.counts.unsent).toBeGreaterThan(50)

    await changeBulk(bench.ledger, bulk.id, { action: 'resume', actor: bench.actor.email })
    await bench.watch(bulk, ({ settled }) => settled > paused.settled)
    await changeBulk(bench.ledger, bulk.id, { action: 'stop', actor: bench.actor.email })
    expect(await countLater(1_600)).toBe(0)
    const stopped = await bench.watch(bulk, ({ settled, count }) => settled === count)
    const sent = bench.service.deletes.filter(({ effective }) => effective).length
    expect(stopped).toMatchObject({
      state: 'stopped',
      counts: { unsent: 0, cancelled: sent, 'not-cancelled': 200 - sent },
    })
    await expect(
      changeBulk(bench.ledger, bulk.id, { action: 'resume', actor: bench.actor.email }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect((await bench.actionsOf(bulk)).map(([action]) => action).slice(2)).toEqual([
      'bulk.paused',
      'bulk.resumed',
      'bulk.stopped',
    ])
  })

  test.each([
    [
      'may not cancel any more',
      (userId: string) =>
        bench.store.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, userId)),
    ],
    [
      'is disabled',
      (userId: string) => bench.store.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId)),
    ],
  ])('is stopped when whoever started it %s (BK-06)', async (_, revoke) => {
    const author = await addActor(bench.store)
    const payments = bench.add(150)
    for (const payment of payments)
      bench.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 40 } })
    const bulk = await bench.start(payments, author)
    await bench.work()
    await bench.watch(bulk, ({ settled }) => settled >= 3)
    await revoke(author.userId)
    const stopped = await bench.watch(bulk, ({ state }) => state === 'stopped')
    expect(stopped.problem).toBe('revoked')
    expect(bench.service.deletes.length).toBeLessThan(150)
    expect(await countLater(800)).toBe(0)
  })

  test('slows down for 429 and for nothing else, and ends (BK-08)', async () => {
    const payments = bench.add(80)
    const bulk = await bench.start(payments)
    let asked = 0
    let refused = 0
    // However slow this machine is, the second request and two later ones are refused.
    bench.service.lists.answer = () => {
      asked += 1
      if (asked % 4 !== 2 || refused === 3) return null
      refused += 1
      return { status: 429, headers: { 'retry-after': '1' }, body: '{}' }
    }
    await bench.work()
    expect(await bench.watch(bulk)).toMatchObject({ counts: { cancelled: 80, 'not-cancelled': 0 } })
    expect(refused).toBeGreaterThan(0)
    expect(bench.service.deletes).toHaveLength(80)
  })

  test('waits while the service is away, and loses none', async () => {
    const payments = bench.add(30)
    bench.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
    const bulk = await bench.start(payments).catch(() => null)
    expect(bulk).toBeNull()
    bench.service.mend()
    const started = await bench.start(payments)
    bench.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
    await bench.work()
    const waiting = await bench.watch(started, ({ wait }) => wait !== null)
    expect(waiting).toMatchObject({ state: 'running', wait: { code: 'upstream-error' }, counts: { unsent: 30 } })
    bench.service.mend()
    expect(await bench.watch(started)).toMatchObject({ wait: null, counts: { cancelled: 30 } })
  })

  test('sends nothing more while the disk of its store is full, says so, and goes on when there is room (BK-09)', async () => {
    let isFull = false
    const db: Database = new Proxy(bench.store.db, {
      get: (target, name) => {
        if (isFull && ['transaction', 'update', 'insert'].includes(String(name)))
          return () => {
            throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
          }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    bench.reset({ db })
    const { bulk } = await startSlow(40)
    isFull = true
    const full = await bench.watch(bulk, ({ wait }) => wait?.code === 'store-full')
    expect(full.state).toBe('running')
    expect(await countLater(1_600)).toBe(0)
    isFull = false
    const done = await bench.watch(bulk)
    expect(Object.values(done.counts).reduce((sum, one) => sum + one)).toBe(40)
    expect(done.counts).toMatchObject({ unsent: 0, sending: 0, cancelled: 40 })
    expect(bench.service.deletes.filter(({ effective }) => effective)).toHaveLength(40)
  })
})
