import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeCsvRow } from '@/lib/domain/csv'
import type { ExportQuery } from '@/lib/domain/lists/list-export'
import type { OpenDatabase } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { partPurpose, storePart } from '../exports/export-parts'
import { saveView } from '../saved-views/saved-views'
import { bulkRows, bulks } from '../store/bulk-schema'
import { decryptSecret, encryptSecret } from '../store/encryption'
import { exportSchedules, listExportParts, listExports } from '../store/export-schema'
import { inboxMessages } from '../store/inbox-schema'
import { savedViews } from '../store/saved-view-schema'
import { activity, cancellations, users } from '../store/schema'
import { bodyPurpose } from '../webhooks/inbox'
import { countKept, eraseKept, writeKept } from './kept'
import { makePerson } from './person'

/*
 * A person whose customer number is a plain number, beside facts of others in which the same digits stand: years, groups of
 * UUIDs and sums.
 */

const session = makeSession('admin')
const { connectionId } = session.scope
const others = {
  id: '5b0f6c1e-2026-4c0a-9c39-0d8f6f0d2b11',
  amount: '4711',
  modifiedAt: '2026-11-28T10:00:00.000Z',
}
const person = makePerson(connectionId, {
  customer: '',
  name: '',
  number: '4711',
  addressLine1: '',
  addressLine2: '',
  others: ['2026', 'Søren Æbelø'],
  ids: [],
})

let store: OpenDatabase

const query: ExportQuery = {
  list: 'listPayments',
  asked: { kind: 'compare', field: 'paymentDate', comparison: 'ge', value: { moment: '2026-11-01' } },
  rest: null,
  order: null,
  filters: { 'Collection date': 'from 1 Nov 2026' },
  columns: ['id', 'amount', 'created', 'customer_name'],
  zone: 'UTC',
}
const heads = [
  'id',
  'amount_minor',
  'amount_exponent',
  'amount_decimal',
  'currency',
  'amount_as_sent',
  'created_utc',
  'name',
]

async function addExport(flavour: 'comma' | 'semicolon', name: string): Promise<string> {
  const id = randomUUID()
  const state = { state: 'complete', parts: 2 } as const
  await store.db.insert(listExports).values({
    id,
    connectionId,
    userId: session.userId,
    startedBy: session.email,
    query: { ...query, flavour },
    ...state,
  })
  await storePart(store.db, { exportId: id, part: 0, text: writeCsvRow(heads, flavour) })
  const amount = { number: `-${others.amount}` }
  const cells = [others.id, amount, 2, { number: '-47.11' }, 'DKK', amount, others.modifiedAt, name]
  await storePart(store.db, { exportId: id, part: 1, text: writeCsvRow(cells, flavour) })
  return id
}

async function addDelivery(body: string): Promise<void> {
  await store.db.insert(inboxMessages).values({
    connectionId,
    verdict: 'not-checked',
    headers: {},
    body: encryptSecret(body, bodyPurpose(connectionId)),
    sealed: true,
  })
}

const entry = { connectionId, actor: 'ann@example.com', action: 'cancellation.intended', objectKind: 'payment' }
const details = {
  cancellationId: others.id,
  text: 'Ordered twice',
  seen: { amount: others.amount, currency: 'DKK', status: 'Pending', modifiedAt: others.modifiedAt },
  sums: [{ currency: 'DKK', mode: 'live', count: 1, minor: '4711' }],
  from: ['2a02:4711::2026'],
}
const handled = { at: others.modifiedAt, by: 'ann@example.com', userId: others.id, note: 'Called about 4711' }
const delivery = JSON.stringify({
  timeStamp: others.modifiedAt,
  amountMinor: 4711,
  payer: { id: 2026 },
  data: { id: others.id, Amount: { value: '2026' } },
})
/** The last three: escaped letters, a member that is left out as it is there twice, and no JSON. */
const foundDeliveries = [
  JSON.stringify({ data: { id: others.id, number: 4711 } }),
  JSON.stringify({ customers: [4711, 42] }),
  String.raw`{"name":"S\u00f8ren \u00c6bel\u00f8"}`,
  '[{"number":4711,"number":1}]',
  'number=4711',
]

const views = ['payment=2026-11-01..2026-11-30', 'amount=4711..&currency=DKK', 'search=4711%2C00', 'search=4711']

let kept: string

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await openMemoryStore()
  const { db } = store
  await db.insert(users).values({ id: session.userId, email: session.email })
  await db.transaction((tx) => appendActivity(tx, { ...entry, objectId: 'pay-1', details }))
  const cancellation = {
    connectionId,
    clientKey: randomUUID(),
    userId: session.userId,
    userEmail: session.email,
    reason: 'Ordered twice',
    evidence: { read: { kind: 'found', modifiedAt: others.modifiedAt } } as const,
  }
  await db.insert(cancellations).values([
    { ...cancellation, id: others.id, paymentId: 'pay-1', state: 'unknown' },
    {
      ...cancellation,
      id: randomUUID(),
      clientKey: randomUUID(),
      paymentId: 'pay-2',
      state: 'cancelled',
      closedAt: new Date(),
      handled,
    },
  ])
  const bulk = { connectionId, userId: session.userId, userEmail: session.email, state: 'ready' } as const
  const source = { kind: 'filter', filter: query.asked, words: 'Collection date: from 1 Nov 2026' } as const
  const reasons = { 2026: 'Ordered twice' }
  await db
    .insert(bulks)
    .values({ ...bulk, id: others.id, source, confirmed: { reason: null, reasons, sessionId: others.id } })
  const facts = { reference: 'INV-1', payer: 'Bo', scheme: 'bs', scheduleDate: '2026-11-28', test: false }
  const row = { connectionId, bulkId: others.id, verdict: 'cancellable', facts } as const
  await db.insert(bulkRows).values([
    { ...row, position: 0, given: others.id, paymentId: others.id },
    { ...row, position: 1, given: 'pay-4711', paymentId: 'pay-4711' },
  ])
  for (const [at, view] of views.entries())
    await saveView(db, session, { list: 'payments', name: `View ${at}`, query: view, isShared: true })
  kept = await addExport('semicolon', 'Bo')
  await addExport('comma', '4711')
  await addExport('semicolon', '-1 no. 2026\nBo')
  const schedule = { connectionId, userId: session.userId, language: 'en', nextAt: new Date() } as const
  const times = { rhythm: 'daily', day: 1, hour: 7 } as const
  await db.insert(exportSchedules).values([
    { ...schedule, id: randomUUID(), query, times, moving: [] },
    { ...schedule, id: randomUUID(), query: { ...query, filters: { Search: '4711' } }, times, moving: [] },
  ])
  await addDelivery(delivery)
  for (const body of foundDeliveries) await addDelivery(body)
}, 60_000)
afterAll(() => store.close())

it('is found where people wrote it or the provider put it, and nobody else’s open work keeps it', async () => {
  const { counts, open } = await countKept(store.db, person)
  expect(open).toEqual([])
  expect(counts).toEqual({
    note: 0,
    cancellation: 1,
    bulk: 0,
    import: 0,
    delivery: 5,
    view: 1,
    export: 2,
    schedule: 1,
    activity: 0,
  })
})

it('shows lines of exports as they are in the file', async () => {
  let text = ''
  for await (const part of writeKept(store.db, person, {})) text += part
  const { export: shown } = JSON.parse(text) as { export: { lines: string[] }[] }
  const ends = `DKK;-4711;${others.modifiedAt};"'-1`
  expect(shown.flatMap(({ lines }) => lines).toSorted()).toEqual([
    `${others.id},-4711,2,-47.11,DKK,-4711,${others.modifiedAt},4711`,
    `${others.id};-4711;2;-47,11;${ends} no. 2026\nBo"`,
  ])
})

it('takes no time, id, sum or view of others along', async () => {
  const { db } = store
  expect(await eraseKept(store, person, { actor: session.email, customerId: null, expected: null })).toMatchObject({
    left: 0,
  })
  const [first] = await db.select().from(activity).where(sql`object_id = 'pay-1'`)
  expect(first?.details).toMatchObject(details)
  const [closed] = await db.select().from(cancellations).where(sql`payment_id = 'pay-2'`)
  expect(closed?.handled).toEqual({ ...handled, note: 'Called about [erased]' })
  const left = await db.select().from(savedViews)
  expect(left.map(({ query: view }) => view).toSorted()).toEqual([
    'amount=4711..&currency=DKK',
    'payment=2026-11-01..2026-11-30',
    'search=4711%2C00',
  ])
  expect((await db.select({ id: listExports.id }).from(listExports)).map(({ id }) => id)).toEqual([kept])
  const [, part] = await db.select().from(listExportParts).orderBy(listExportParts.part)
  expect(decryptSecret(part?.text ?? '', partPurpose(kept, 1))).toContain('4711;2;-47,11')
  expect(await db.select().from(exportSchedules)).toMatchObject([{ query: { filters: query.filters } }])
  const bodies = await db.select().from(inboxMessages).orderBy(inboxMessages.sequence)
  expect(decryptSecret(bodies[0]?.body ?? '', bodyPurpose(connectionId))).toBe(delivery)
  const emptied = bodies.slice(1).map(({ body }) => decryptSecret(body, bodyPurpose(connectionId)) ?? '')
  expect(emptied).toHaveLength(foundDeliveries.length)
  for (const body of emptied) expect(body).toMatch(/\[erased\]/u)
})
