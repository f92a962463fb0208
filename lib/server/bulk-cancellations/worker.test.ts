import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyChain } from '../activity-log/hash-chain'
import { requestCancellation } from '../cancellations/request-cancellation'
import { toCancellationView } from '../cancellations/queries'
import { activity, memberships } from '../store/schema'
import { addActor, BulkFixture } from '../testing/bulk-fixture'
import type { Ledger } from '../cancellations/ledger'
import { within } from '@/lib/database/testing/within'
import { askFor, problemAnswer } from '../testing/ledger-fixture'
import { shiftStoreClock } from '../testing/test-ledger'
import { changeBulk } from './change-bulk'
import { claimRows } from './row-leases'
import { runBulks } from './worker'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

describe('a bulk', () => {
  test('sends each payment once, and says so in the activity log and in every row', async () => {
    const payments = fixture.add(60)
    await fixture.work()
    const bulk = await fixture.start(payments)
    const done = await fixture.watch(bulk)
    expect(done).toMatchObject({ counts: { cancelled: 60, unsent: 0 }, settled: 60 })
    expect(fixture.service.deletes).toHaveLength(60)
    expect(fixture.service.deletes.every(({ effective, text }) => effective && text === 'Ordered twice')).toBe(true)
    const rows = await fixture.rowsOf(bulk)
    expect(new Set(fixture.service.deletes.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set(rows.map(({ id }) => id)),
    )
    expect(await fixture.actionsOf(bulk)).toEqual([
      ['bulk.created', fixture.actor.email],
      ['bulk.started', fixture.actor.email],
      ['bulk.finished', 'desk'],
    ])
    const intended = await fixture.store.db.select().from(activity).where(eq(activity.action, 'cancellation.intended'))
    expect(intended.filter(({ details }) => JSON.stringify(details).includes(bulk.id))).toHaveLength(60)
    expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
  })

  test('says of a payment whose turn has not come that it waits in a bulk, not that its request is on its way', async () => {
    const bulk = await fixture.start(fixture.add(2))
    const told = (await fixture.rowsOf(bulk)).map((row) => toCancellationView(row))
    expect(told).toMatchObject([
      { outcome: 'sending', reason: 'in-bulk', closed: false },
      { outcome: 'sending', reason: 'in-bulk', closed: false },
    ])
    await fixture.work()
    await fixture.watch(bulk)
    expect((await fixture.rowsOf(bulk)).map((row) => toCancellationView(row).reason)).toEqual([null, null])
  })

  test.each([
    ['many in one request where the service honours it', false],
    ['singly where it does not, and asks for many no more', true],
  ])('reads payments before they are sent %s', async (_, isRejected) => {
    // Readings stay fresh on a slow machine, too.
    fixture.reset({
      rules: { ...fixture.ledger.rules, maxReadingAgeMs: 600_000, sendTimeoutMs: 60_000, leaseMs: 180_000 },
    })
    const isForMany = ({ path }: { path: string }) => path.includes('+or+')
    if (isRejected) fixture.service.lists.answer = (request) => (isForMany(request) ? { status: 400 } : null)
    const bulk = await fixture.start(fixture.add(80))
    const from = fixture.service.requests.length
    await fixture.work()
    expect(await fixture.watch(bulk)).toMatchObject({ counts: { cancelled: 80 } })
    const requests = fixture.service.requests.slice(from)
    const first = (id: string) => requests.findIndex(({ path }) => path.includes(id))
    const readAlone = (await fixture.rowsOf(bulk)).filter(({ paymentId }) => {
      const request = requests[first(paymentId)]
      return request?.method === 'GET' && !isForMany(request)
    })
    // The first few are read singly, until the filter is proven.
    expect(readAlone.length < 40).toBe(!isRejected)
    expect((await fixture.ledger.capabilities.read())['eq:ids']).toBe(!isRejected)
    // How many were in flight before the confirmed refusal depends on the machine; afterwards there are none.
    const next = fixture.service.requests.length
    await fixture.watch(await fixture.start(fixture.add(40)))
    expect(fixture.service.requests.slice(next).some(isForMany)).toBe(!isRejected)
  })

  test('tells every outcome apart, and they add up to the whole (BK-02)', async () => {
    const payments = fixture.add(40)
    const bulk = await fixture.start(payments)
    for (const [index, payment] of payments.entries()) {
      // After the confirmation: settled, cancelled by others, changed.
      if (index < 4) fixture.service.change(payment.id, { status: 'Settled' })
      else if (index < 6) fixture.service.change(payment.id, { status: 'Cancelled' })
      else if (index < 8) fixture.service.change(payment.id, { amount: 7 })
      else if (index < 10) fixture.service.next(payment, { answer: { status: 500, headers: {}, body: '' } })
      else if (index < 12) fixture.service.next(payment, { effect: false, answer: { hang: true } })
      else if (index < 14) fixture.service.next(payment, problemAnswer(409), problemAnswer(409))
      else if (index < 15) fixture.service.next(payment, problemAnswer(403))
      else if (index < 18)
        fixture.service.next(payment, {
          effect: false,
          answer: { status: 429, headers: { 'retry-after': '1' }, body: '' },
        })
    }
    await fixture.work()
    const { counts, settled } = await fixture.watch(bulk)
    const reasons: Record<string, number> = {}
    for (const { outcomeReason, state } of await fixture.rowsOf(bulk)) {
      const key = `${state} ${outcomeReason}`
      reasons[key] = (reasons[key] ?? 0) + 1
    }
    expect(reasons).toEqual({
      'not-cancelled too-late': 4,
      'cancelled already-cancelled': 2,
      'not-cancelled changed': 2,
      'not-cancelled service-declined': 2,
      'not-cancelled refused': 1,
      'cancelled null': 29,
    })
    expect(settled).toBe(40)
    expect(Object.values(counts).reduce((sum, one) => sum + one)).toBe(40)
    for (const payment of payments) {
      expect(fixture.deletesOf(payment).filter(({ effective }) => effective).length).toBeLessThanOrEqual(1)
    }
  })

  test('leaves a payment to whoever asked for it by itself, before or meanwhile (BK-07)', async () => {
    const payments = fixture.add(6)
    const [first, , , , , last] = payments
    if (!first || !last) throw new Error('there are no payments')
    const view = await fixture.start(payments.slice(1))
    const single = requestCancellation(fixture.ledger, await addActor(fixture.store), askFor(last))
    await expect(single).rejects.toMatchObject({ code: 'conflict' })
    await requestCancellation(fixture.ledger, fixture.actor, askFor(first))
    await fixture.work()
    await fixture.watch(view)
    for (const payment of payments) expect(fixture.deletesOf(payment)).toHaveLength(1)
  })

  test.each(['ignored', 'rejected'] as const)(
    'reads many at once in one walk where a filter by id is %s',
    async (filter) => {
      const payments = fixture.add(150)
      fixture.service.lists.filter = filter
      const bulk = await fixture.start(payments)
      const before = fixture.service.requests.filter(({ method }) => method === 'GET').length
      await fixture.work()
      expect(await fixture.watch(bulk)).toMatchObject({ counts: { cancelled: 150 } })
      const reads = fixture.service.requests.filter(({ method }) => method === 'GET').length - before
      expect(reads).toBeLessThan(100)
    },
  )

  test('is finished when its own rows are, though another still has many to send', async () => {
    const many = fixture.add(150)
    for (const payment of many)
      fixture.service.next(payment, { answer: { status: 202, headers: {}, body: '', delay: 600 } })
    const [few, long] = [await fixture.start(fixture.add(2)), await fixture.start(many)]
    await fixture.work()
    await fixture.watch(few)
    expect((await fixture.view(long)).counts.unsent).toBeGreaterThan(75)
  })

  test('is sent though another, whose author may cancel no more, can’t be stopped', async () => {
    const { db } = fixture.store
    const reports: unknown[] = []
    fixture.reset({ report: (event, { bulkId }) => void reports.push([event, bulkId]) })
    const leaver = await addActor(fixture.store)
    const stuck = await fixture.start(fixture.add(2), leaver)
    const other = await fixture.start(fixture.add(2))
    await db.delete(memberships).where(eq(memberships.userId, leaver.userId))
    await db.execute(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    )
    await db.execute(
      sql.raw(
        `create trigger refuse before update on bulks for each row when (old.id = '${stuck.id}') execute function refuse()`,
      ),
    )
    await fixture.work()
    expect(await fixture.watch(other)).toMatchObject({ counts: { cancelled: 2 } })
    // Nor is the desk taken for dead.
    const { passes } = fixture.ledger.memory
    const first = passes.get('bulks') ?? 0
    await vi.waitFor(() => expect(passes.get('bulks')).toBeGreaterThan(first), { timeout: 4_000 })
    expect(reports[0]).toEqual(['bulk-not-stopped', stuck.id])
    expect(reports.length).toBeLessThan(4)
    await db.execute(sql`drop function refuse cascade`)
    expect(await fixture.watch(stuck, ({ state }) => state === 'stopped')).toMatchObject({ problem: 'revoked' })
  })

  test('closes a payment that is gone from the list, and sends nothing for it', async () => {
    const payments = fixture.add(3)
    const bulk = await fixture.start(payments)
    fixture.service.payments.delete(payments[1]?.id ?? '')
    await fixture.work()
    expect(await fixture.watch(bulk)).toMatchObject({ counts: { cancelled: 2, 'not-cancelled': 1 } })
    expect(fixture.service.deletes).toHaveLength(2)
  })
})

describe('a bulk where payments are only in a long list', () => {
  const runners: { stop: () => Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  })

  /** Adds payments and starts a bulk of those at these places of the list. */
  async function startAt(count: number, ...places: number[]) {
    const payments = fixture.add(count)
    const chosen = payments.filter((_, place) => places.includes(place))
    return { chosen, bulk: await fixture.start(chosen) }
  }

  /** Runs the bulks with a filter by id that is known to fail, and a clock that `onPage` may set ahead before each page. */
  async function run(onPage: (skip: (milliseconds: number) => void) => void | Promise<void>): Promise<Ledger> {
    fixture.service.lists.filter = 'ignored'
    await fixture.ledger.capabilities.note({ 'eq:id': false })
    let ahead = 0
    const { clock } = fixture.ledger
    const ledger: Ledger = {
      ...fixture.ledger,
      clock: {
        ...clock,
        now: () => new Date(clock.now().getTime() + ahead),
        store: shiftStoreClock(clock.store, () => ahead),
      },
      step: async (name) => {
        if (name === 'during-read') await onPage((milliseconds) => (ahead += milliseconds))
      },
    }
    runners.push(await runBulks(ledger))
    return ledger
  }

  const isSettled = ({ settled, count }: { settled: number; count: number }) => settled === count

  // The first, as the others leave requests that were sent by a clock ahead.
  test('knows what a list read whole shows, however late its last page came', async () => {
    const { bulk, chosen } = await startAt(1_001, 1_000)
    fixture.service.payments.delete(chosen[0]?.id ?? '')
    let pages = 0
    let skip: (milliseconds: number) => void = () => undefined
    await run((given) => {
      skip = given
      pages += 1
      if (pages % 10 !== 0) skip(65_000)
    })
    const isReleased = async () => {
      expect(pages).toBe(10)
      expect(await fixture.rowsOf(bulk)).toMatchObject([{ leaseHolder: null }])
    }
    await vi.waitFor(isReleased, 20_000)
    // The pause after a pass that took long.
    skip(10 * 65_000)
    await fixture.watch(bulk, isSettled)
    expect(pages).toBe(20)
    expect(await fixture.rowsOf(bulk)).toMatchObject([
      { state: 'not-cancelled', evidence: { read: { kind: 'absent' } } },
    ])
  })

  test('sends each on a reading as old as its page, however long the list takes', async () => {
    const { bulk } = await startAt(500, 0, 150, 499)
    await run((skip) => skip(50_000))
    expect(await fixture.watch(bulk, isSettled)).toMatchObject({ counts: { requested: 3 } })
    expect(fixture.service.deletes).toHaveLength(3)
  })

  test('closes what cannot be reached in ten minutes as unreadable, and sends the rest', async () => {
    const { bulk, chosen } = await startAt(1_100, 0, 1_050)
    let pages = 0
    await run((skip) => {
      pages += 1
      if (pages <= 10) skip(65_000)
    })
    await fixture.watch(bulk, isSettled)
    const far = (await fixture.rowsOf(bulk)).find(({ paymentId }) => paymentId === chosen[1]?.id)
    expect(far).toMatchObject({
      state: 'not-cancelled',
      outcomeReason: 'unreadable',
      evidence: { read: { why: 'too-many-pages' } },
    })
    expect(fixture.service.deletes.map(({ paymentId }) => paymentId)).toEqual([chosen[0]?.id])
  })

  test('closes nothing as unreadable where the service, not the list, took ten minutes', async () => {
    const { bulk, chosen } = await startAt(1_100, 0, 1_050)
    let isThrottled = true
    fixture.service.lists.answer = () => {
      if (!isThrottled) return null
      isThrottled = false
      return { status: 429, headers: { 'retry-after': '0' }, body: '' }
    }
    let pages = 0
    await run((skip) => {
      pages += 1
      if (pages <= 11) skip(65_000)
    })
    expect(await fixture.watch(bulk, isSettled)).toMatchObject({ counts: { requested: 2 } })
    expect(new Set(fixture.service.deletes.map(({ paymentId }) => paymentId))).toEqual(
      new Set(chosen.map(({ id }) => id)),
    )
  })

  test('reads again what waited too long for its turn, and does not take that for trouble of the service', async () => {
    const { bulk, chosen } = await startAt(30, ...Array.from({ length: 30 }, (_, place) => place))
    let skip: (milliseconds: number) => void = () => undefined
    await run((given) => {
      skip = given
    })
    fixture.service.next({ id: chosen[0]?.id ?? '' }, { before: () => skip(61_000) })
    const told = new Set<string | undefined>()
    await fixture.watch(bulk, (view) => {
      told.add(view.wait?.code)
      return isSettled(view)
    })
    expect([...told]).not.toContain('out-of-time')
    expect(fixture.service.deletes.filter(({ effective }) => effective)).toHaveLength(30)
  })

  test('keeps its rows from other desks while it looks for them', async () => {
    const { bulk } = await startAt(700, 699)
    const others: unknown[] = []
    let pages = 0
    const ledger = await run(async (skip) => {
      pages += 1
      skip(40_000)
      if (pages === 6) others.push(...(await claimRows(ledger, bulk.id, { limit: 10, lease: 1_000 })))
    })
    await fixture.watch(bulk, isSettled)
    expect(pages).toBe(7)
    expect(others).toEqual([])
  })

  test('stops looking when it is paused', async () => {
    const { bulk, chosen } = await startAt(3, 0)
    fixture.service.payments.delete(chosen[0]?.id ?? '')
    fixture.service.lists.container = ({ results, nextOffset }) => ({ results, hasMore: true, nextOffset })
    let pages = 0
    await run(() => void (pages += 1))
    await vi.waitFor(() => expect(pages).toBeGreaterThan(3), 20_000)
    await changeBulk(fixture.ledger, bulk.id, { action: 'pause', actor: fixture.actor.email })
    const isFree = async () => expect(await fixture.rowsOf(bulk)).toMatchObject([{ leaseHolder: null }])
    await vi.waitFor(isFree, 20_000)
    const seen = pages
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(pages).toBeLessThanOrEqual(seen + 1)
  })

  test('stops at once where the service asked for a pause', async () => {
    const { bulk } = await startAt(3, 0)
    fixture.service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '80' }, body: '' })
    const from = fixture.service.requests.length
    await run(() => undefined)
    await vi.waitFor(() => expect(fixture.service.requests.length).toBeGreaterThan(from), 20_000)
    const stopped = Promise.all(runners.splice(0).map((runner) => runner.stop()))
    await within(10_000, 'the worker to stop in the pause', stopped)
    expect(await fixture.rowsOf(bulk)).toMatchObject([{ leaseHolder: null }])
  })
})
