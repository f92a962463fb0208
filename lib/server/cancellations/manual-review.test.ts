import { randomUUID } from 'node:crypto'
import { and, asc, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { pickCurrentCancellation } from '@/lib/domain/cancellations/current-cancellation'
import { verifyChain } from '../activity-log/hash-chain'
import { activity, cancellations } from '../store/schema'
import { askFor, LedgerFixture } from '../testing/ledger-fixture'
import type { ServicePayment } from '../testing/payment-ledger-service'
import { makeActor, readRow, settleLedger, shiftClock } from '../testing/test-ledger'
import { createTenantScope } from '../auth/tenant-scope'
import { checkCancellation, handleCancellation } from './manual-review'
import { LedgerMemory } from './ledger-memory'
import { measureHold } from './payment-pages'
import { findCancellationsOf, findUnsettledCancellations } from './queries'
import { requestCancellation } from './request-cancellation'

let fixture: LedgerFixture
const ann = makeActor('ann@debitdesk.example')
const bo = makeActor('bo@debitdesk.example')

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

const lost = { effect: false, answer: { status: 500, headers: {}, body: '' } }

/** A cancellation in manual review: unknown, and its payment is in no list. */
async function needPerson(): Promise<{ payment: ServicePayment; id: string }> {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost)
  fixture.service.lists.show = (shown) => (shown.id === payment.id ? null : shown)
  const row = await settleLedger(shiftClock(fixture.ledger, 20 * 60_000), id)
  expect(row.state).toBe('needs-person')
  fixture.service.mend()
  return { payment, id }
}

const actionsOf = async ({ id }: ServicePayment) =>
  (
    await fixture.store.db
      .select()
      .from(activity)
      .where(and(eq(activity.objectId, id), like(activity.action, 'cancellation.%')))
      .orderBy(asc(activity.sequence))
  ).map(({ action, actor }) => `${action} by ${actor}`)

test('"Check again" shows what the service says by now; the outcome stays as it closed (I8)', async () => {
  const { payment, id } = await needPerson()
  const before = await readRow(fixture.ledger, id)
  fixture.service.change(payment.id, { status: 'Cancelled' })
  const view = await checkCancellation(fixture.ledger, ann, id)
  expect(view).toMatchObject({
    outcome: 'needs-person',
    closed: true,
    checked: { by: ann.email, kind: 'found', status: 'Cancelled' },
  })
  fixture.service.lists.show = () => null
  expect((await checkCancellation(fixture.ledger, bo, id)).checked).toMatchObject({ by: bo.email, kind: 'absent' })
  const { checked, ...rest } = await readRow(fixture.ledger, id)
  expect({ ...rest, checked: null }).toEqual(before)
  expect(checked?.by).toBe(bo.email)
  expect((await actionsOf(payment)).slice(-2)).toEqual([
    `cancellation.checked by ${ann.email}`,
    `cancellation.checked by ${bo.email}`,
  ])
})

test('"Mark as handled" keeps who, when and the note, once, beside the outcome and in the log', async () => {
  const { payment, id } = await needPerson()
  const handle = (actor = ann, note = 'Called the service: it was cancelled.') =>
    handleCancellation(fixture.ledger, actor, { id, note })
  const view = await handle()
  expect(view).toMatchObject({
    outcome: 'needs-person',
    handled: { by: ann.email, note: 'Called the service: it was cancelled.' },
  } satisfies Partial<Record<keyof CancellationView, unknown>>)
  // Repeating the note is no second event.
  expect(await handle()).toEqual(view)
  await expect(handle(bo)).rejects.toMatchObject({ code: 'conflict', evidence: { extensions: { cancellation: view } } })
  await expect(handle(ann, 'Something else')).rejects.toMatchObject({ code: 'conflict' })
  expect((await actionsOf(payment)).filter((action) => action.startsWith('cancellation.handled'))).toEqual([
    `cancellation.handled by ${ann.email}`,
  ])
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('it stands first among what is not settled, until it is handled or asked for anew', async () => {
  globalThis.debitdeskStore = Promise.resolve(fixture.store)
  const scope = createTenantScope(fixture.ledger.connectionId)
  const before = await findUnsettledCancellations(scope)
  const listNew = async () => {
    const old = new Set(before.map(({ id }) => id))
    return (await findUnsettledCancellations(scope)).map(({ id }) => id).filter((id) => !old.has(id))
  }
  const [first, second] = [await needPerson(), await needPerson()]
  const open = await fixture.cancel(fixture.service.add())
  expect(await listNew()).toEqual([first.id, second.id, open.id])
  await handleCancellation(fixture.ledger, ann, { id: first.id, note: 'Looked it up' })
  expect(await listNew()).toEqual([second.id, open.id])
  const anew = await fixture.cancel(second.payment)
  expect(await listNew()).toEqual([open.id, anew.id])
})

test('it stays where what was asked for anew was never sent, and goes where the payment turned out to be cancelled', async () => {
  globalThis.debitdeskStore = Promise.resolve(fixture.store)
  const scope = createTenantScope(fixture.ledger.connectionId)
  const { id, payment } = await needPerson()
  const isUnsettled = async () => (await findUnsettledCancellations(scope)).some((view) => view.id === id)
  const counts = async () => pickCurrentCancellation(await findCancellationsOf(scope, [payment.id]))
  const ask = (seen: ServicePayment) => requestCancellation(fixture.ledger, ann, askFor(seen)).catch(() => undefined)
  const changed = { ...payment, amount: payment.amount + 1 }
  await ask(changed)
  const outcomes = (await findCancellationsOf(scope, [payment.id])).map(({ outcome, reason }) =>
    outcome === 'needs-person' ? outcome : `${outcome} ${reason}`,
  )
  expect(outcomes.toSorted()).toEqual(['needs-person', 'not-cancelled changed'])
  expect(await isUnsettled()).toBe(true)
  expect(await counts()).toMatchObject({ id, outcome: 'needs-person' })
  // Meanwhile cancelled upstream, as the read before a further request shows.
  fixture.service.change(payment.id, { status: 'Cancelled' })
  await ask(payment)
  expect(await isUnsettled()).toBe(false)
  expect(await counts()).toMatchObject({ reason: 'already-cancelled' })
})

test('handled, it gives way to what was asked for after it', async () => {
  globalThis.debitdeskStore = Promise.resolve(fixture.store)
  const scope = createTenantScope(fixture.ledger.connectionId)
  const { id, payment } = await needPerson()
  await requestCancellation(fixture.ledger, ann, askFor({ ...payment, amount: 1 })).catch(() => undefined)
  await handleCancellation(fixture.ledger, ann, { id, note: 'Looked it up' })
  expect(pickCurrentCancellation(await findCancellationsOf(scope, [payment.id]))).toMatchObject({ reason: 'changed' })
})

test('only what needs a person can be handled, and what has ended is not looked up again', async () => {
  const payment = fixture.service.add()
  const open = await fixture.cancel(payment)
  const handle = (id: string) => handleCancellation(fixture.ledger, ann, { id, note: 'Seen' })
  await expect(handle(open.id)).rejects.toMatchObject({ code: 'not-possible' })
  expect((await checkCancellation(fixture.ledger, ann, open.id)).outcome).toBe('requested')
  await settleLedger(fixture.ledger, open.id)
  await expect(handle(open.id)).rejects.toMatchObject({ code: 'not-possible' })
  await expect(checkCancellation(fixture.ledger, ann, open.id)).rejects.toMatchObject({ code: 'not-possible' })
})

test("another merchant's cancellation does not exist", async () => {
  const { id } = await needPerson()
  const other = { ...fixture.ledger, connectionId: 'another' }
  await expect(checkCancellation(other, ann, id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(handleCancellation(other, ann, { id, note: 'Seen' })).rejects.toMatchObject({ code: 'not-found' })
  await expect(handleCancellation(fixture.ledger, ann, { id: randomUUID(), note: 'Seen' })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test.each([
  ['its state', { state: 'cancelled' as const }],
  ['its reason', { outcomeReason: 'too-late' as const }],
  ['who asked', { userEmail: 'somebody@else.example' }],
  ['its end', { closedAt: new Date(0) }],
])('the database itself refuses to change %s once it is closed (I8)', async (_, change) => {
  const { id } = await needPerson()
  await expect(
    fixture.store.db.update(cancellations).set(change).where(eq(cancellations.id, id)),
  ).rejects.toMatchObject({
    cause: { code: '23000' },
  })
})

test('the database itself refuses to delete one, and to write a second note', async () => {
  const { id } = await needPerson()
  await handleCancellation(fixture.ledger, ann, { id, note: 'Seen' })
  const refused = { cause: { code: '23000' } }
  await expect(fixture.store.db.delete(cancellations).where(eq(cancellations.id, id))).rejects.toMatchObject(refused)
  await expect(
    fixture.store.db.execute(sql`update cancellations set handled = null where id = ${id}`),
  ).rejects.toMatchObject(refused)
})

test('"Check again" asks once for all by the worker that handles it, and leaves it to another desk meanwhile', async () => {
  const { id } = await fixture.cancel(fixture.service.add(), lost)
  const { ledger, service } = fixture
  await ledger.db
    .update(cancellations)
    .set({ dueAt: new Date(Date.now() + 3_600_000) })
    .where(eq(cancellations.id, id))
  const own = { ...ledger, memory: new LedgerMemory() }
  own.memory.hold(own.clock.now().getTime() + 60_000)
  const check = () => checkCancellation(ledger, ann, id, () => Promise.resolve(own))
  service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' })
  await expect(check()).rejects.toMatchObject({ code: 'upstream-slow-down' })
  expect((await readRow(ledger, id)).dueAt?.getTime()).toBeLessThanOrEqual(Date.now())
  service.mend()
  service.lists.filter = 'ignored'
  for (let index = 0; index < 150; index += 1) service.add()
  const from = Date.now()
  await check()
  expect(fixture.countReads(from - 1)).toBe(1)
  expect(measureHold(own)).toBe(0)
})

test('"Check again" reads at once for a person though the upstream API asked to wait, and says so to a script', async () => {
  const payment = fixture.service.add()
  const { id } = await fixture.cancel(payment, lost)
  fixture.ledger.memory.hold(fixture.ledger.clock.now().getTime() + 60_000)
  const script = { ...ann, apiToken: { id: 'a-token', name: 'Nightly' } }
  const asked = { code: 'upstream-slow-down', evidence: { retryAfter: 60 } }
  await expect(checkCancellation(fixture.ledger, script, id)).rejects.toMatchObject(asked)
  fixture.service.lists.answer = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' })
  await expect(checkCancellation(fixture.ledger, ann, id)).rejects.toMatchObject(asked)
  fixture.service.mend()
  fixture.service.change(payment.id, { status: 'Cancelled' })
  await checkCancellation(fixture.ledger, ann, id)
  expect(await settleLedger(fixture.ledger, id)).toMatchObject({ state: 'cancelled' })
})
