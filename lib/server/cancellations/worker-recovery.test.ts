import { randomUUID } from 'node:crypto'
import { isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancellations, defaultConnectionId, deskPresence } from '../store/schema'
import { signLife } from '../store/leases'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import { readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import type { CancellationRow } from './ledger'
import { closeUnattended, recover, runWorker } from './worker'

const day = 86_400_000
let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(async () => {
  fixture.reset()
  fixture.ledger = { ...fixture.ledger, isAlone: true }
  // The store prevents deleting closed rows one by one.
  await fixture.store.db.execute(sql`truncate cancellations`)
})

afterAll(() => fixture.close())

/** What a process that died just now leaves behind, each for a payment of its own. */
async function leave(changes: Partial<CancellationRow>): Promise<CancellationRow> {
  const payment = fixture.service.add()
  const { key, paymentId, reason, seen } = askFor(payment)
  const now = new Date()
  const [row] = await fixture.store.db
    .insert(cancellations)
    .values({
      id: randomUUID(),
      connectionId: defaultConnectionId,
      clientKey: key,
      paymentId,
      reason,
      seen,
      userId: fixture.actor.userId,
      userEmail: fixture.actor.email,
      state: 'intended',
      stateSince: now,
      createdAt: now,
      leaseHolder: 'the dead',
      leaseUntil: new Date(now.getTime() + 20_000),
      ...changes,
    })
    .returning()
  if (!row) throw new Error('was not left')
  return row
}

/** The last heartbeat of a desk in the store. */
async function lastSeen(seenAt: Date): Promise<void> {
  await fixture.store.db.delete(deskPresence)
  await fixture.store.db.insert(deskPresence).values({ seenAt })
}

const deletesOf = ({ paymentId }: CancellationRow) =>
  fixture.service.deletes.filter((each) => each.paymentId === paymentId)

test('an intent never sent is left to be sent when young, and closed as not sent when older than two minutes', async () => {
  const young = await leave({})
  const old = await leave({ stateSince: new Date(Date.now() - 121_000) })
  await recover(fixture.ledger)
  expect(await readRow(fixture.ledger, young.id)).toMatchObject({ state: 'intended', leaseUntil: null })
  expect(await readRow(fixture.ledger, old.id)).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
  expect(await settleLedger(fixture.ledger, young.id)).toMatchObject({ state: 'cancelled' })
  expect([deletesOf(young).length, deletesOf(old).length]).toEqual([1, 0])
})

test('an intent never sent waits for a service that is still starting, and is closed when that takes too long', async () => {
  const row = await leave({})
  fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
  await recover(fixture.ledger)
  const from = Date.now()
  await settleLedger(fixture.ledger, row.id, () => fixture.countReads(from) >= 3)
  expect(await readRow(fixture.ledger, row.id)).toMatchObject({ state: 'intended' })
  const closed = await settleLedger(shiftClock(fixture.ledger, 130_000), row.id)
  expect(closed).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
  expect(deletesOf(row)).toEqual([])
})

test('a request without an outcome becomes unknown before anything else happens', async () => {
  const row = await leave({ state: 'sending', attempts: 1 })
  await recover(fixture.ledger)
  expect(await readRow(fixture.ledger, row.id)).toMatchObject({
    state: 'unknown',
    evidence: { failure: 'interrupted' },
  })
  expect(deletesOf(row)).toEqual([])
})

test('what another living desk works on is left to it', async () => {
  const row = await leave({ state: 'sending', attempts: 1 })
  await recover({ ...fixture.ledger, isAlone: false })
  expect(await readRow(fixture.ledger, row.id)).toEqual(row)
  await recover(shiftClock({ ...fixture.ledger, isAlone: false }, 30_000))
  expect(await readRow(fixture.ledger, row.id)).toMatchObject({ state: 'unknown' })
})

test.each([
  ['ahead by a day', day],
  ['behind by a day', -day],
])('a clock that was %s when the process died delays nothing and sends nothing twice', async (_, ahead) => {
  const then = new Date(Date.now() + ahead)
  const accepted = await leave({ state: 'accepted', attempts: 1, stateSince: then, dueAt: then, leaseUntil: then })
  const since = { stateSince: then, undecidedSince: then, dueAt: then, leaseUntil: then }
  const unknown = await leave({ state: 'unknown', attempts: 1, ...since })
  const intended = await leave({ stateSince: then, leaseUntil: then })
  fixture.service.change(accepted.paymentId, { status: 'Cancelled' })
  await lastSeen(then)
  await signLife(fixture.store)
  await recover(fixture.ledger)
  expect(await settleLedger(fixture.ledger, accepted.id)).toMatchObject({ state: 'cancelled' })
  expect(await settleLedger(fixture.ledger, unknown.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  expect(await settleLedger(fixture.ledger, intended.id)).toMatchObject({
    state: 'not-cancelled',
    outcomeReason: 'not-sent',
  })
  expect([deletesOf(accepted).length, deletesOf(unknown).length, deletesOf(intended).length]).toEqual([0, 1, 0])
})

test('a long standstill is no reason to give a payment up at the first read that fails', async () => {
  const then = new Date(Date.now() - day)
  const row = await leave({ state: 'accepted', attempts: 1, stateSince: then, lastFoundAt: then })
  fixture.service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
  await recover(fixture.ledger)
  await settleLedger(fixture.ledger, row.id, ({ lastRead }) => lastRead === 'unreadable')
  fixture.service.mend()
  fixture.service.change(row.paymentId, { status: 'Cancelled' })
  expect(await settleLedger(shiftClock(fixture.ledger, 15_000), row.id)).toMatchObject({ state: 'cancelled' })
})

test('the worker recovers before it starts, works until it is stopped, and then leaves the rest alone', async () => {
  const row = await leave({ state: 'sending', attempts: 1 })
  const worker = await runWorker(fixture.ledger)
  expect(await readRow(fixture.ledger, row.id)).not.toMatchObject({ state: 'sending' })
  await expect.poll(async () => (await readRow(fixture.ledger, row.id)).state, { timeout: 20_000 }).toBe('cancelled')
  await worker.stop()
  const left = await leave({ leaseUntil: null })
  await new Promise((resolve) => setTimeout(resolve, 5 * fixture.ledger.rules.pollIntervalMs))
  expect(await readRow(fixture.ledger, left.id)).toMatchObject({ state: 'intended' })
})

test('only the time in which no desk ran is taken out of the age of what is open, once (not at each start)', async () => {
  const hour = 3_600_000
  const now = Date.now()
  const at = (ago: number) => new Date(now - ago)
  const since = {
    stateSince: at(2 * hour),
    undecidedSince: at(hour + 60_000),
    lastFoundAt: at(hour + 30_000),
    leaseUntil: null,
  }
  const unknown = await leave({ state: 'unknown', attempts: 1, ...since })
  const young = await leave({
    state: 'unknown',
    attempts: 1,
    stateSince: at(1_000),
    undecidedSince: at(1_000),
    leaseUntil: null,
  })
  const held = await leave({ state: 'unknown', attempts: 1, ...since, leaseUntil: at(-20_000) })
  const waiting = await leave({ state: 'waiting', ...since })
  await lastSeen(at(hour))
  for (let start = 0; start < 3; start += 1) {
    await signLife(fixture.store)
    await recover({ ...fixture.ledger, isAlone: false })
  }
  const read = await readRow(fixture.ledger, unknown.id)
  const ageOf = (moment: Date | null) => Date.now() - (moment?.getTime() ?? 0)
  // A minute and half a minute of it had passed when the last desk ended.
  expect(ageOf(read.undecidedSince)).toBeGreaterThanOrEqual(60_000)
  expect(ageOf(read.undecidedSince)).toBeLessThan(hour / 2)
  expect(ageOf(read.lastFoundAt)).toBeGreaterThanOrEqual(30_000)
  expect((await readRow(fixture.ledger, young.id)).undecidedSince?.getTime()).toBeLessThanOrEqual(Date.now())
  expect((await readRow(fixture.ledger, held.id)).undecidedSince).toEqual(held.undecidedSince)
  expect((await readRow(fixture.ledger, waiting.id)).undecidedSince).toEqual(waiting.undecidedSince)
})

test('while a desk is seen, no start renews the time in which a person is told', async () => {
  const undecidedSince = new Date(Date.now() - 13 * 60_000)
  const row = await leave({
    state: 'unknown',
    attempts: 1,
    stateSince: undecidedSince,
    undecidedSince,
    leaseUntil: null,
  })
  await lastSeen(new Date(Date.now() - 9_000))
  await signLife(fixture.store)
  await recover({ ...fixture.ledger, isAlone: false })
  expect((await readRow(fixture.ledger, row.id)).undecidedSince).toEqual(undecidedSince)
})

test('however many wait for a read, recovery frees hundreds by one statement', async () => {
  const many = Array.from({ length: 300 }, () => ({ state: 'unknown', attempts: 1 }) as const)
  for (const one of many) await leave(one)
  const before = fixture.store.countWrites?.() ?? 0
  await recover(fixture.ledger)
  expect((fixture.store.countWrites?.() ?? 0) - before).toBeLessThanOrEqual(4)
  expect(await fixture.store.db.$count(cancellations, isNull(cancellations.leaseUntil))).toBe(many.length)
})

test('however many wait for a read, others are let in while recovery frees them', async () => {
  const { id } = await leave({ state: 'unknown', attempts: 1 })
  await fixture.store.db.execute(sql`
    insert into cancellations (id, connection_id, payment_id, client_key, user_id, user_email, reason, state, lease_until)
    select gen_random_uuid(), connection_id, payment_id || number, gen_random_uuid(), user_id, user_email, reason, state,
      lease_until
    from cancellations, generate_series(1, 999) as number where id = ${id}`)
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await recover(fixture.ledger)
  isOver = true
  expect(await fixture.store.db.$count(cancellations, isNull(cancellations.leaseUntil))).toBe(1_000)
  // Yields to the event loop: one per batch.
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('what is overdue is closed though its owner, whose access token a read would need, is signed out', async () => {
  const long = new Date(Date.now() - 16 * 60_000)
  const past = { stateSince: long, undecidedSince: long, leaseUntil: null }
  const unknown = await leave({ state: 'unknown', attempts: 1, ...past })
  const intended = await leave(past)
  const waiting = await leave({ state: 'waiting', ...past })
  const sending = await leave({ state: 'sending', attempts: 1, ...past })
  await closeUnattended({ ...fixture.ledger, isAlone: false })
  expect(await readRow(fixture.ledger, unknown.id)).toMatchObject({ state: 'needs-person' })
  for (const { id } of [intended, waiting])
    expect(await readRow(fixture.ledger, id)).toMatchObject({ state: 'not-cancelled', outcomeReason: 'not-sent' })
  expect((await readRow(fixture.ledger, sending.id)).state).not.toBe('sending')
  expect(
    fixture.service.deletes.filter(({ paymentId }) =>
      [unknown, intended, waiting, sending].some((row) => row.paymentId === paymentId),
    ),
  ).toEqual([])
})
