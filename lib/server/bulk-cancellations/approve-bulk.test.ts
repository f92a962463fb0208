import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import type { BulkView } from '@/lib/domain/cancellations/bulk-cancellation'
import type { Actor } from '../cancellations/ledger'
import { requestCancellation } from '../cancellations/request-cancellation'
import { bulks } from '../store/bulk-schema'
import { AppError } from '../runtime/app-error'
import { cancellations, connections, memberships } from '../store/schema'
import { addActor, BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { decideOnBulk, expireApprovals } from './approve-bulk'
import { changeDraftRow, discardDraft } from './change-draft'
import { countAwaiting, findBulk, listAwaiting } from './queries'
import { readBulkRows } from './result-rows'
import { findRunningBulks } from './row-queue'
import { startBulk } from './start-bulk'

const everyBulk: ApprovalRule = { everyBulk: true, limits: [], hours: 24 }
const above1000: ApprovalRule = { everyBulk: false, limits: [{ currency: 'DKK', amount: '1000' }], hours: 24 }

let fixture: BulkFixture
let second: Actor

beforeAll(async () => {
  fixture = await BulkFixture.start()
  second = await addActor(fixture.store)
})
beforeEach(() => fixture.reset())
afterEach(async () => {
  await fixture.rest()
  await setRule(null)
})
afterAll(() => fixture.close())

async function setRule(rule: ApprovalRule | null): Promise<void> {
  const { connectionId } = fixture.ledger
  await fixture.store.db.update(connections).set({ approval: rule }).where(eq(connections.connectionId, connectionId))
}

const approve = ({ count, digest }: BulkView) => ({ decision: 'approve' as const, count, digest: digest ?? '' })

async function request(count = 3): Promise<BulkView> {
  const view = await fixture.list(listOf(fixture.add(count)))
  await startBulk(fixture.ledger, fixture.actor, { bulkId: view.id, given: confirm(view) })
  return fixture.view(view)
}

describe('a bulk that needs a second person', () => {
  beforeEach(() => setRule(everyBulk))

  it('is sent only when another person has approved it, in the name of who requested it', async () => {
    const bulk = await request()
    expect(bulk).toMatchObject({ state: 'awaiting', startedAt: null, requestedBy: fixture.actor.email })
    expect(bulk.approval).toMatchObject({ decidedAt: null, decidedBy: null })
    await fixture.work()
    expect(await fixture.rowsOf(bulk)).toEqual([])
    expect(fixture.service.deletes).toEqual([])

    await decideOnBulk(fixture.ledger, second, bulk.id, approve(bulk))
    const done = await fixture.watch(bulk)
    expect(done.counts.cancelled).toBe(3)
    expect(done.approval?.decidedBy).toBe(second.email)
    const rows = await fixture.rowsOf(bulk)
    expect(new Set(rows.map(({ userEmail }) => userEmail))).toEqual(new Set([fixture.actor.email]))
    expect(await fixture.actionsOf(bulk)).toEqual([
      ['bulk.created', fixture.actor.email],
      ['bulk.approval-requested', fixture.actor.email],
      ['bulk.approved', second.email],
      ['bulk.started', fixture.actor.email],
      ['bulk.finished', 'desk'],
    ])
  })

  it('is approved by nobody who requested it, and withdrawn by nobody else', async () => {
    const bulk = await request()
    await expect(decideOnBulk(fixture.ledger, fixture.actor, bulk.id, approve(bulk))).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(
      decideOnBulk(fixture.ledger, fixture.actor, bulk.id, { decision: 'decline', note: 'no' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await expect(decideOnBulk(fixture.ledger, second, bulk.id, { decision: 'withdraw' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await fixture.view(bulk)).toMatchObject({ state: 'awaiting' })
  })

  it('shows each payment’s reason to who approves, and waits for everyone but who requested it', async () => {
    const payments = fixture.add(2)
    const view = await fixture.list(listOf(payments))
    const given = { ...confirm(view, 'Ordered twice'), reasons: { '1': 'Paid by transfer' } }
    await startBulk(fixture.ledger, fixture.actor, { bulkId: view.id, given })
    const row = await findBulk(fixture.store.db, fixture.ledger, view.id)
    const { rows } = await readBulkRows(fixture.store, row, { from: 0, since: null })
    expect(rows.map(({ reason }) => reason)).toEqual(['Ordered twice', 'Paid by transfer'])
    const { db } = fixture.store
    const scope = fixture.ledger as unknown as Parameters<typeof countAwaiting>[1]
    expect((await listAwaiting(db, scope, second.userId)).map(({ id }) => id)).toContain(view.id)
    expect(await countAwaiting(db, scope, fixture.actor.userId)).toBe(0)
  })

  it('can no longer change: what was requested is what is approved', async () => {
    const bulk = await request()
    const draft = { connectionId: fixture.ledger.connectionId, userId: fixture.actor.userId, bulkId: bulk.id }
    const { db } = fixture.store
    await expect(changeDraftRow(fixture.store, { ...draft, position: 0, isLeftOut: true })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(discardDraft(db, draft)).rejects.toMatchObject({ code: 'conflict' })
    const other = { decision: 'approve' as const, count: bulk.count, digest: 'a'.repeat(64) }
    await expect(decideOnBulk(fixture.ledger, second, bulk.id, other)).rejects.toMatchObject({
      code: 'changed-since-seen',
    })
  })

  it('is requested once and started once, however often it is asked for', async () => {
    const bulk = await request()
    const given = confirm(bulk)
    await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given })
    await expect(
      startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: { ...given, reason: 'Another' } }),
    ).rejects.toMatchObject({ code: 'conflict' })
    const third = await addActor(fixture.store)
    const decisions = [second, third, second, third].map((actor) =>
      decideOnBulk(fixture.ledger, actor, bulk.id, approve(bulk)).then(
        () => actor.email,
        ({ code }: { code: string }) => code,
      ),
    )
    const results = await Promise.all(decisions)
    const { approval } = await fixture.view(bulk)
    // Whoever was first approved it; the other is told that it's over.
    const isFirst = (at: number) => [second, third][at % 2]?.email === approval?.decidedBy
    expect(results).toEqual(results.map((_, at) => (isFirst(at) ? approval?.decidedBy : 'conflict')))
    expect(await fixture.rowsOf(bulk)).toHaveLength(3)
    const started = (await fixture.actionsOf(bulk)).filter(([action]) => action === 'bulk.started')
    expect(started).toHaveLength(1)
  })

  it('is declined with a note, withdrawn, or ends by itself; then nobody can approve it', async () => {
    const declined = await request()
    await decideOnBulk(fixture.ledger, second, declined.id, { decision: 'decline', note: 'Wrong month' })
    expect(await fixture.view(declined)).toMatchObject({
      state: 'declined',
      problem: 'declined',
      approval: { decidedBy: second.email, note: 'Wrong month' },
    })
    const withdrawn = await request()
    await decideOnBulk(fixture.ledger, fixture.actor, withdrawn.id, { decision: 'withdraw' })
    const expired = await request()
    await expireApprovals(fixture.ledger)
    expect(await fixture.view(expired)).toMatchObject({ state: 'awaiting' })
    await fixture.store.db
      .update(bulks)
      .set({ expiresAt: new Date(0) })
      .where(eq(bulks.id, expired.id))
    // Before the worker has ended it, too.
    await expect(decideOnBulk(fixture.ledger, second, expired.id, approve(expired))).rejects.toMatchObject({
      code: 'conflict',
    })
    await expireApprovals(fixture.ledger)
    expect(await fixture.view(expired)).toMatchObject({ state: 'declined', problem: 'expired' })
    for (const bulk of [declined, withdrawn, expired]) {
      await expect(decideOnBulk(fixture.ledger, second, bulk.id, approve(bulk))).rejects.toMatchObject({
        code: 'conflict',
      })
      expect(await fixture.rowsOf(bulk)).toEqual([])
    }
    expect((await fixture.actionsOf(expired)).at(-1)).toEqual(['bulk.approval-expired', 'desk'])
  })

  it('still needs its approval when the rule is switched off meanwhile', async () => {
    const bulk = await request()
    await setRule(null)
    await fixture.work()
    expect(await fixture.view(bulk)).toMatchObject({ state: 'awaiting' })
    expect(await fixture.rowsOf(bulk)).toEqual([])
  })
})

describe('above an amount', () => {
  beforeEach(() => setRule(above1000))

  it('a bulk needs a second person by its sum, which no amount below zero lowers, and none below it', async () => {
    const add = (amount: number) => fixture.service.add({ amount, currency: 'DKK' })
    const small = await fixture.list(listOf([add(50_000), add(50_000)]))
    await startBulk(fixture.ledger, fixture.actor, { bulkId: small.id, given: confirm(small) })
    expect(await fixture.view(small)).toMatchObject({ state: 'running' })
    const large = await fixture.list(listOf([add(50_000), add(50_001)]))
    await startBulk(fixture.ledger, fixture.actor, { bulkId: large.id, given: confirm(large) })
    expect(await fixture.view(large)).toMatchObject({ state: 'awaiting' })
    const lowered = await fixture.list(listOf([add(100_001), add(-50_000)]))
    await startBulk(fixture.ledger, fixture.actor, { bulkId: lowered.id, given: confirm(lowered) })
    expect(await fixture.view(lowered)).toMatchObject({ state: 'awaiting' })
  })

  it.each(['seen', 'not seen'] as const)(
    'a single payment that was %s is refused, and nothing is kept of it',
    async (how) => {
      const payment = fixture.service.add({ amount: 100_001, currency: 'DKK' })
      const { amount, currency, status, modifiedAt } = payment
      const seen = how === 'seen' ? { amount, currency, status, modifiedAt } : null
      const instruction = { key: crypto.randomUUID(), paymentId: payment.id, reason: 'Ordered twice', seen }
      await expect(requestCancellation(fixture.ledger, fixture.actor, instruction)).rejects.toMatchObject({
        code: 'approval-needed',
      })
      expect(fixture.deletesOf(payment)).toEqual([])
      expect(
        await fixture.store.db.select().from(cancellations).where(eq(cancellations.paymentId, payment.id)),
      ).toEqual([])
      const below = fixture.service.add({ amount: 100_000, currency: 'DKK' })
      const reply = await requestCancellation(fixture.ledger, fixture.actor, {
        ...instruction,
        key: crypto.randomUUID(),
        paymentId: below.id,
        seen: seen && { ...seen, amount: below.amount },
      })
      expect(reply.cancellation.outcome).not.toBe('not-cancelled')
    },
  )

  it('a payment that was claimed to be smaller is compared with what it is, and one that can’t be read is refused', async () => {
    const payment = fixture.service.add({ amount: 100_001, currency: 'DKK' })
    const { currency, status, modifiedAt } = payment
    const lie = { amount: 1, currency, status, modifiedAt }
    const instruction = { paymentId: payment.id, reason: 'Ordered twice', seen: lie }
    await expect(
      requestCancellation(fixture.ledger, fixture.actor, { ...instruction, key: crypto.randomUUID() }),
    ).rejects.toMatchObject({ code: 'changed-since-seen' })
    await expect(
      requestCancellation(fixture.ledger, fixture.actor, { ...instruction, key: crypto.randomUUID(), unread: true }),
    ).rejects.toMatchObject({ code: 'approval-needed' })
    expect(fixture.deletesOf(payment)).toEqual([])
  })
})

describe('a lower amount for support', () => {
  const supportAbove1000: ApprovalRule = { everyBulk: false, limits: [], supportLimits: above1000.limits, hours: 24 }

  async function cancelAlone(actor: Actor): Promise<unknown> {
    const payment = fixture.service.add({ amount: 100_001, currency: 'DKK' })
    const { amount, currency, status, modifiedAt } = payment
    const seen = { amount, currency, status, modifiedAt }
    const instruction = { key: crypto.randomUUID(), paymentId: payment.id, reason: 'Ordered twice', seen }
    return requestCancellation(fixture.ledger, actor, instruction).then(
      () => 'sent',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )
  }

  it('is read with the role as it is when the cancellation is written', async () => {
    await setRule(supportAbove1000)
    const admin = await addActor(fixture.store, 'admin')
    expect(await cancelAlone(admin)).toBe('sent')
    expect(await cancelAlone(second)).toBe('approval-needed')
    const { db } = fixture.store
    await db.update(memberships).set({ role: 'support' }).where(eq(memberships.userId, admin.userId))
    expect(await cancelAlone(admin)).toBe('approval-needed')
    await db.delete(memberships).where(eq(memberships.userId, admin.userId))
    expect(await cancelAlone(admin)).toBe('approval-needed')
  })
})

it('a bulk is stopped once its author may cancel one by one only; a list of one goes on', async () => {
  const author = await addActor(fixture.store, 'support')
  const { db } = fixture.store
  const startAs = async (count: number) => {
    const view = await fixture.list(listOf(fixture.add(count)))
    await startBulk(fixture.ledger, author, { bulkId: view.id, given: confirm(view) })
    return view
  }
  const [many, one] = [await startAs(3), await startAs(1)]
  await db.update(memberships).set({ role: 'support-without-bulk' }).where(eq(memberships.userId, author.userId))
  const running = await findRunningBulks(fixture.ledger)
  const problemOf = (id: string) => running.find(({ bulk }) => bulk.id === id)?.problem
  expect([problemOf(many.id), problemOf(one.id)]).toEqual(['revoked', null])
})
