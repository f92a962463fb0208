import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ActivityView } from '@/lib/domain/activity/activity'
import type { OpenDatabase } from '@/lib/database/database'
import { parseCsv, unescapeFormulas } from '@/lib/domain/csv'
import { notes } from '../store/note-schema'
import { agreements, cancellations, connections } from '../store/schema'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { type ActivityEntry, appendActivity } from './append'
import { activityFilterQuery, activityPageQuery } from './schema'
import { listActivity, nameObjects, streamActivity } from './queries'

let store: OpenDatabase
const admin = makeSession('admin')
const support = makeSession('support')
const viewer = makeSession('viewer')

function append(entry: Partial<ActivityEntry>): Promise<number> {
  const whole = {
    connectionId: 'default',
    action: 'customer.update',
    objectKind: 'customer',
    objectId: 'c',
    details: {},
  }
  return store.db.transaction((tx) => appendActivity(tx, { ...whole, ...entry }))
}

beforeAll(async () => {
  store = await openMemoryStore()
  await store.db.insert(connections).values({ connectionId: 'other', name: 'Another merchant' })
  // 2026-03-29 has 23 hours in Copenhagen: 22:30 UTC is already the 30th there.
  const days = ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z']
  for (const at of days) await append({ actor: 'ann@example.com', at: new Date(at) })
  await append({
    actor: 'bob@example.com',
    objectKind: 'payment',
    objectId: 'p-1',
    action: 'cancellation.intended',
    details: { text: '=cmd|x\r\n"quoted"' },
  })
  await append({ actor: 'desk', objectKind: 'payment', objectId: 'p-1', action: 'cancellation.unknown' })
  await append({ actor: 'ann@example.com', objectKind: 'session', objectId: 's-1', action: 'session.started' })
  await append({ actor: viewer.email, objectKind: 'session', objectId: 's-2', action: 'session.started' })
  await append({ actor: 'desk', objectKind: 'setting', objectId: 'desk', action: 'setting.changed' })
  await append({ connectionId: 'other', actor: 'eve@example.com' })
})
afterAll(() => store.close())

type Query = Record<string, string | string[]>

async function list(query: Query = {}, session = admin): Promise<ActivityView[]> {
  return (await listActivity(store.db, session, { query: activityFilterQuery.parse(query), limit: 100 })).results
}

const ids = (rows: readonly ActivityView[]) => rows.map(({ id }) => Number(id))

it('names what it knows a name of, and nothing by what another merchant calls it', async () => {
  const cancellation = {
    paymentId: 'p-1',
    userId: admin.userId,
    userEmail: admin.email,
    reason: 'Ordered twice',
    state: 'unknown' as const,
  }
  const asked = { ...cancellation, id: randomUUID(), clientKey: randomUUID() }
  await store.db.insert(cancellations).values({ ...asked, connectionId: 'default', evidence: { named: 'INV-7' } })
  const others = { ...cancellation, id: randomUUID(), clientKey: randomUUID(), paymentId: 'c' }
  await store.db.insert(cancellations).values({ ...others, connectionId: 'other', evidence: { named: 'Theirs' } })
  const named = new Map(
    (await list()).map(({ objectKind, objectId, objectName }) => [`${objectKind} ${objectId}`, objectName]),
  )
  expect(named.get('payment p-1')).toBe('INV-7')
  const note = {
    connectionId: 'default',
    objectKind: 'payment',
    text: 'x',
    authorId: admin.userId,
    author: 'a',
  } as const
  await store.db.insert(notes).values([
    { ...note, id: randomUUID(), objectId: 'p-1', objectName: 'Something else' },
    { ...note, id: randomUUID(), objectId: 'p-2', objectName: 'INV-8' },
    { ...note, id: randomUUID(), objectId: 'p-3', objectName: '' },
    { ...note, id: randomUUID(), objectId: 'c', objectName: 'Theirs', connectionId: 'other' },
  ])
  const paid = ['p-1', 'p-2', 'p-3', 'c'].map((objectId) => ({
    connectionId: 'default',
    objectKind: 'payment',
    objectId,
  }))
  // A note's name is what its writer's browser said.
  expect(Object.fromEntries(await nameObjects(store.db, paid))).toEqual({ 'payment p-1': 'INV-7' })
  expect([...named.values()].filter((name) => name !== null)).toEqual(['INV-7'])
})

it('names a payment by a note in the note’s own row alone', async () => {
  const connectionId = 'with-notes'
  const session = { ...admin, scope: { ...admin.scope, connectionId } }
  await store.db.insert(connections).values({ connectionId, name: 'A merchant with notes' })
  const noteId = randomUUID()
  const by = { objectKind: 'payment', text: 'x', authorId: admin.userId, author: 'a' } as const
  await store.db.insert(notes).values({ ...by, connectionId, id: noteId, objectId: 'p-9', objectName: 'INV-42' })
  const payment = { connectionId, actor: 'ann@example.com', objectKind: 'payment', objectId: 'p-9' }
  await append({ ...payment, action: 'cancellation.intended', details: { noteId } })
  await append({ ...payment, action: 'note.added', details: { noteId } })
  expect((await list({}, session)).map(({ objectName }) => objectName)).toEqual(['INV-42', null])
})

it('names what was done to one of two records whose ids differ only in case by its own name, a UUID in any case', async () => {
  const uuid = randomUUID()
  const shared = { userId: admin.userId, userEmail: admin.email, reason: 'Ordered twice', state: 'unknown' as const }
  const connectionId = 'second'
  await store.db.insert(connections).values({ connectionId, name: 'A second merchant' })
  for (const [paymentId, named] of [
    ['aBcDaQ0z', 'INV-1'],
    ['AbCdAq0Z', 'INV-2'],
    [uuid.toUpperCase(), 'INV-3'],
  ] as const) {
    const row = { ...shared, connectionId, paymentId, id: randomUUID(), clientKey: randomUUID(), evidence: { named } }
    await store.db.insert(cancellations).values(row)
  }
  for (const [agreementId, handle] of [
    ['zQ', 'am_one'],
    ['Zq', 'am_two'],
  ] as const)
    await store.db.insert(agreements).values({ connectionId, agreementId, handle, source: 'opened', rememberedBy: 'x' })
  const told = await nameObjects(
    store.db,
    [
      ['payment', 'aBcDaQ0z'],
      ['payment', 'AbCdAq0Z'],
      ['payment', 'abcdaq0z'],
      ['payment', uuid],
      ['agreement', 'zQ'],
      ['agreement', 'Zq'],
    ].map(([objectKind = '', objectId = '']) => ({ connectionId, objectKind, objectId })),
  )
  expect(Object.fromEntries(told)).toEqual({
    'payment aBcDaQ0z': 'INV-1',
    'payment AbCdAq0Z': 'INV-2',
    [`payment ${uuid}`]: 'INV-3',
    'agreement zQ': 'am_one',
    'agreement Zq': 'am_two',
  })
})

it.each<[string, Query, number[]]>([
  ['everything, newest first, and nothing of another merchant', {}, [9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ['by the beginning of an e-mail', { person: 'Bob@' }, [5]],
  ['by what it is about', { kind: 'session' }, [8, 7]],
  ['by action', { action: 'session.started' }, [8, 7]],
  ['by result', { outcome: 'unknown' }, [6]],
  ['of a record', { object: ['p-1', 'its-handle'] }, [6, 5]],
  ['of a day of the scheme’s zone, which is an hour short', { from: '2026-03-29', to: '2026-03-29' }, [3, 2]],
  ['until a day', { to: '2026-03-28' }, [1]],
  ['by several at once', { kind: 'payment', person: 'desk' }, [6]],
  ['a wildcard is a letter', { person: '%' }, []],
])('lists %s', async (_, query, expected) => {
  expect(ids(await list(query))).toEqual(expected)
})

it('shows a viewer what was done to records, and of sign-ins and settings only the own', async () => {
  expect(ids(await list({}, viewer))).toEqual([8, 6, 5, 4, 3, 2, 1])
  expect(ids(await list({ kind: 'setting' }, viewer))).toEqual([])
  expect(ids(await list({ kind: 'setting' }, support))).toEqual([9])
})

it('goes on exactly where a page ended, whatever was written meanwhile', async () => {
  const seen: number[] = []
  let after: number | undefined
  for (;;) {
    const page = await listActivity(store.db, admin, { query: { kind: 'customer' }, after, limit: 3 })
    seen.push(...ids(page.results))
    if (page.continuation.kind !== 'more') break
    after = Number(page.continuation.after)
    await append({ objectKind: 'mandate' })
  }
  expect(seen).toEqual([4, 3, 2, 1])
})

it.each([
  { after: '-1' },
  { after: 'x' },
  { limit: '0' },
  { limit: '101' },
  { from: '2026-02-30' },
  { outcome: 'odd' },
  { person: '\0' },
  { more: '1' },
])('refuses what it does not understand: %o', (query) => {
  expect(activityPageQuery.safeParse(query).success).toBe(false)
})

it('is exported whole, in pages, as text that no spreadsheet takes for a formula', async () => {
  const text = await new Response(streamActivity(store.db, admin, { object: ['p-1'] }, 'comma')).text()
  const { rows } = parseCsv(text)
  expect(rows.map(({ cells }) => cells[0])).toEqual(['sequence', '6', '5'])
  const details: unknown = JSON.parse(unescapeFormulas(rows[2]?.cells[7] ?? ''))
  expect(details).toMatchObject({ text: '=cmd|x\r\n"quoted"', outcome: 'done' })
  expect(text).not.toMatch(/(?:^|,|\n)=cmd/u)
})
