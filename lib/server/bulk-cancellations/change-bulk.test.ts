import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maySenderCancel } from '../cancellations/sender'
import type { Actor } from '../cancellations/ledger'
import { apiTokens } from '../store/api-token-schema'
import { cancellations, defaultConnectionId, memberships, users } from '../store/schema'
import { addActor, BulkFixture } from '../testing/bulk-fixture'
import { changeBulk } from './change-bulk'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

describe('a bulk that runs', () => {
  /** Slow DELETEs leave time for other actions. */
  async function startSlow(count: number, delay = 60) {
    const payments = fixture.add(count)
    for (const payment of payments)
      fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay } })
    const bulk = await fixture.start(payments)
    await fixture.work()
    await fixture.watch(bulk, ({ settled }) => settled >= 3)
    return { payments, bulk }
  }

  async function addActorWithToken(): Promise<Actor> {
    const author = await addActor(fixture.store)
    const [id, now] = [randomUUID(), new Date()]
    await fixture.store.db.insert(apiTokens).values({
      id,
      userId: author.userId,
      connectionId: defaultConnectionId,
      name: 'night job',
      role: 'support',
      prefix: id,
      hash: id,
      withFactor: false,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 86_400_000),
    })
    return { ...author, apiToken: { id, name: 'night job' } }
  }

  /** The number of DELETEs sent after those in flight have ended. */
  async function countLater(milliseconds: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds / 2))
    const before = fixture.service.deletes.length
    await new Promise((resolve) => setTimeout(resolve, milliseconds / 2))
    return fixture.service.deletes.length - before
  }

  test('pauses, goes on, and stops: nothing is sent while it does not run, what is on its way ends (BK-06)', async () => {
    const { bulk } = await startSlow(200)
    await changeBulk(fixture.ledger, bulk.id, { action: 'pause', actor: fixture.actor.email })
    expect(await countLater(1_600)).toBe(0)
    const paused = await fixture.view(bulk)
    expect(paused).toMatchObject({ state: 'paused', counts: { sending: 0 } })
    expect(paused.counts.unsent).toBeGreaterThan(50)

    await changeBulk(fixture.ledger, bulk.id, { action: 'resume', actor: fixture.actor.email })
    await fixture.watch(bulk, ({ settled }) => settled > paused.settled)
    await changeBulk(fixture.ledger, bulk.id, { action: 'stop', actor: fixture.actor.email })
    expect(await countLater(1_600)).toBe(0)
    const stopped = await fixture.watch(bulk, ({ settled, count }) => settled === count)
    const sent = fixture.service.deletes.filter(({ effective }) => effective).length
    expect(stopped).toMatchObject({
      state: 'stopped',
      counts: { unsent: 0, cancelled: sent, 'not-cancelled': 200 - sent },
    })
    await expect(
      changeBulk(fixture.ledger, bulk.id, { action: 'resume', actor: fixture.actor.email }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect((await fixture.actionsOf(bulk)).map(([action]) => action).slice(2)).toEqual([
      'bulk.paused',
      'bulk.resumed',
      'bulk.stopped',
    ])
  })

  test.each([
    [
      'whoever started it may not cancel any more',
      'revoked',
      (userId: string) =>
        fixture.store.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, userId)),
    ],
    [
      'whoever started it is disabled',
      'revoked',
      (userId: string) => fixture.store.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId)),
    ],
    [
      'the token that started it is revoked',
      'token-revoked',
      (userId: string) =>
        fixture.store.db.update(apiTokens).set({ revokedAt: new Date() }).where(eq(apiTokens.userId, userId)),
    ],
  ])('is stopped when %s (BK-06)', async (_, problem, revoke) => {
    const author = await addActorWithToken()
    const payments = fixture.add(150)
    for (const payment of payments)
      fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 40 } })
    const bulk = await fixture.start(payments, author)
    await fixture.work()
    await fixture.watch(bulk, ({ settled }) => settled >= 3)
    const maySendAgain = async () => {
      const [row] = await fixture.store.db
        .select()
        .from(cancellations)
        .where(eq(cancellations.bulkId, bulk.id))
        .limit(1)
      return row && maySenderCancel(fixture.store, row)
    }
    expect(await maySendAgain()).toBe(true)
    await revoke(author.userId)
    expect(await maySendAgain()).toBe(false)
    const stopped = await fixture.watch(bulk, ({ state }) => state === 'stopped')
    expect(stopped.problem).toBe(problem)
    expect(fixture.service.deletes.length).toBeLessThan(150)
    expect(await countLater(800)).toBe(0)
  })

  test('ends when it was paused during its last requests', async () => {
    fixture.service.cancelDelay = 1_500
    const bulk = await fixture.start(fixture.add(3))
    await fixture.work()
    await fixture.watch(bulk, ({ counts }) => counts.requested === 3)
    await changeBulk(fixture.ledger, bulk.id, { action: 'pause', actor: fixture.actor.email })
    const ended = await fixture.watch(bulk)
    expect(ended).toMatchObject({ problem: null, endedAt: expect.any(String), counts: { cancelled: 3 } })
    expect((await fixture.actionsOf(bulk)).slice(-2)).toEqual([
      ['bulk.paused', fixture.actor.email],
      ['bulk.finished', 'desk'],
    ])
  }, 30_000)

  test('ends as finished when its token is revoked after everything was sent', async () => {
    const author = await addActorWithToken()
    fixture.service.cancelDelay = 3_000
    const bulk = await fixture.start(fixture.add(3), author)
    await fixture.work()
    await fixture.watch(bulk, ({ counts }) => counts.requested === 3)
    await fixture.store.db
      .update(apiTokens)
      .set({ revokedAt: new Date() })
      .where(eq(apiTokens.id, author.apiToken?.id ?? ''))
    const ended = await fixture.watch(bulk, ({ state }) => state !== 'running')
    expect(ended).toMatchObject({ state: 'finished', problem: null, counts: { cancelled: 3 } })
  })

  /** Watches a bulk to its end and returns the reasons for which it waited. */
  async function watchWaits(bulk: { id: string }): Promise<string[]> {
    const codes = new Set<string>()
    await fixture.watch(bulk, ({ state, wait }) => {
      if (wait) codes.add(wait.code)
      return state === 'finished'
    })
    return [...codes]
  }

  test('slows down for 429 as long as it says, and ends (BK-08)', async () => {
    const payments = fixture.add(80)
    const refused = payments.slice(0, 2)
    const slowDown = { status: 429, headers: { 'retry-after': '2' }, body: '{}' }
    for (const payment of refused) fixture.service.next(payment, { effect: false, answer: slowDown })
    const bulk = await fixture.start(payments)
    await fixture.work()
    expect(await watchWaits(bulk)).toContain('slow-down')
    expect(await fixture.view(bulk)).toMatchObject({ counts: { cancelled: 80, 'not-cancelled': 0 } })
    const { deletes } = fixture.service
    expect(deletes).toHaveLength(82)
    for (const payment of refused) {
      const from = fixture.deletesOf(payment)[0]?.at ?? 0
      // Those on their way with it, eight at most, still arrive.
      expect(deletes.filter(({ at }) => at > from && at < from + 1_900).length).toBeLessThan(8)
    }
  })

  test.each([
    ['by filter', null],
    ['from the list', false],
  ])(
    'asks for no payment %s before the time that 429 names, and says why it waits (UP-07, BK-08)',
    async (_, proof) => {
      const bulk = await fixture.start(fixture.add(10))
      if (proof !== null) await fixture.ledger.capabilities.note({ 'eq:id': proof })
      fixture.service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '600' }, body: '' })
      const from = fixture.service.requests.length
      await fixture.work()
      const { wait } = await fixture.watch(bulk, (view) => view.wait !== null)
      expect(wait?.code).toBe('slow-down')
      expect(Date.parse(wait?.until ?? '')).toBeGreaterThan(Date.now() + 500_000)
      // Two may have been on their way with the first.
      expect(fixture.service.requests.length - from).toBeLessThanOrEqual(proof === null ? 2 : 1)
      expect(fixture.service.deletes).toHaveLength(0)
    },
  )

  test('does not slow down for 409 (BK-08)', async () => {
    const payments = fixture.add(40)
    const refused = payments.filter((_, index) => index % 2 === 0)
    for (const payment of refused)
      fixture.service.next(payment, { effect: false, answer: { status: 409, headers: {}, body: '' } })
    const bulk = await fixture.start(payments)
    await fixture.work()
    expect(await watchWaits(bulk)).toEqual([])
    expect(await fixture.view(bulk)).toMatchObject({ counts: { cancelled: 20, 'not-cancelled': 20 } })
    expect(fixture.service.deletes).toHaveLength(40)
  })

  test('waits while the service is away, and loses none', async () => {
    const payments = fixture.add(30)
    fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
    const bulk = await fixture.start(payments).catch(() => null)
    expect(bulk).toBeNull()
    fixture.service.mend()
    const started = await fixture.start(payments)
    fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
    await fixture.work()
    const waiting = await fixture.watch(started, ({ wait }) => wait !== null)
    expect(waiting).toMatchObject({ state: 'running', wait: { code: 'upstream-error' }, counts: { unsent: 30 } })
    fixture.service.mend()
    expect(await fixture.watch(started)).toMatchObject({ wait: null, counts: { cancelled: 30 } })
  })
})
