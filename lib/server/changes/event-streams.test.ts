import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { appendActivity } from '../activity-log/append'
import { ask, last, until } from '../http/testing/test-server'
import { startTrace } from '../runtime/trace'
import { connections, defaultConnectionId, memberships, sessions } from '../store/schema'
import { announceChanges, announceExport, type Change } from './announce-changes'
import { closeEventStreams, MAX_STREAMS_PER_PERSON, readLastChange } from './event-streams'
import { EventsFixture, type OpenPage, second } from './testing/events-fixture'

let fixture: EventsFixture
const ids = new Map<string, string>()
const open: OpenPage[] = []

async function openPage(name: string, headers?: Record<string, string>): Promise<OpenPage> {
  const page = await fixture.open(name, headers)
  open.push(page)
  return page
}

const announce = (...changes: Change[]) => announceChanges(fixture.store.db, changes)

/** Announces something that every page of a merchant hears, and waits for it: what came before has been told. */
async function settle(connectionId: string, pages: readonly OpenPage[]): Promise<void> {
  const id = randomUUID()
  await announce({ connectionId, kind: 'mandate', id })
  const hasHeard = ({ reader }: OpenPage) => reader.events.some(({ mandate }) => mandate?.includes(id))
  await until('every page to hear of the mandate', () => pages.every(hasHeard))
}

const logKinds = ['activity', 'private-activity']

const hear = ({ reader }: OpenPage, ofLog: boolean) =>
  reader.events
    .map((event) => Object.entries(event).filter(([kind]) => kind !== 'mandate' && logKinds.includes(kind) === ofLog))
    .filter((entries) => entries.length > 0)
    .map((entries) => Object.fromEntries(entries))

/** What a page heard of records, but the mandates of `settle`. */
const heardBy = (page: OpenPage) => hear(page, false)
/** What a page heard of the activity log. */
const logHeardBy = (page: OpenPage) => hear(page, true)

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  fixture = await EventsFixture.start()
  for (const [name, role, merchant] of [
    ['ann', 'admin', defaultConnectionId],
    ['vera', 'viewer', defaultConnectionId],
    ['vic', 'viewer', defaultConnectionId],
    ['audra', 'auditor', defaultConnectionId],
    ['sid', 'support', second],
  ] as const)
    ids.set(name, await fixture.addPerson(name, role, merchant))
})
afterEach(async () => {
  for (const page of open.splice(0)) page.leave()
})
afterAll(async () => {
  await closeEventStreams()
  await fixture.close()
})

it('a note is told to those who may read it, by its record', async () => {
  const [vera, audra] = [await openPage('vera'), await openPage('audra')]
  const entry = { connectionId: defaultConnectionId, actor: 'ann@example.com', action: 'note.added', details: {} }
  await appendActivity(fixture.store.db, { ...entry, objectKind: 'payment', objectId: 'pay-1' })
  await until('the note to be told', () => heardBy(vera).length > 0)
  expect(heardBy(vera)).toEqual([{ note: ['pay-1'] }])
  expect(heardBy(audra)).toEqual([])
})

describe('an entry of the activity log', () => {
  const entry = { connectionId: defaultConnectionId, actor: 'ann@example.com', details: {} }

  it('about a record is told to everybody who may read the log, with the change in one event', async () => {
    const [vera, audra, sid] = [await openPage('vera'), await openPage('audra'), await openPage('sid')]
    await appendActivity(fixture.store.db, { ...entry, action: 'bulk.paused', objectKind: 'bulk', objectId: 'b-1' })
    await settle(defaultConnectionId, [vera])
    await settle(second, [sid])
    await until('the auditor to be told', () => logHeardBy(audra).length > 0)
    expect(vera.reader.events[0]).toMatchObject({ bulk: ['b-1'], activity: ['b-1'] })
    expect([vera, audra, sid].map(logHeardBy)).toEqual([[{ activity: ['b-1'] }], [{ activity: ['b-1'] }], []])
  })

  it('about accounts and settings is told to those who may read it, and to who caused it', async () => {
    const [ann, vera, vic] = [await openPage('ann'), await openPage('vera'), await openPage('vic')]
    const before = readLastChange(defaultConnectionId)
    const context = { ...startTrace(), userId: ids.get('vera') ?? '' }
    const made = { ...entry, action: 'token.made', objectKind: 'token', objectId: 'secret-name', context }
    await appendActivity(fixture.store.db, made)
    await until('the entry to be told', () => [ann, vera].every((page) => logHeardBy(page).length > 0))
    // What counts records need not count again.
    expect(readLastChange(defaultConnectionId)).toBe(before)
    await settle(defaultConnectionId, [ann, vera, vic])
    expect([ann, vera, vic].map(logHeardBy)).toEqual([[{ 'private-activity': null }], [{ activity: null }], []])
  })

  it('tells open pages that a subscription of webhooks has changed', async () => {
    const ann = await openPage('ann')
    const subscribed = { ...entry, action: 'webhook.subscribe', objectKind: 'webhook', objectId: '0a1b' }
    await appendActivity(fixture.store.db, subscribed)
    await settle(defaultConnectionId, [ann])
    expect(heardBy(ann)).toEqual([{ webhook: null }])
  })
})

describe('GET /api/desk/events', () => {
  it('tells every page of a merchant of a change, and no page of another merchant (AZ-04)', async () => {
    const [ann, vera, sid] = [await openPage('ann'), await openPage('vera'), await openPage('sid')]
    await announce({ connectionId: defaultConnectionId, kind: 'cancellation', id: 'p-first' })
    await announce({ connectionId: second, kind: 'cancellation', id: 'p-second' })
    await settle(defaultConnectionId, [ann, vera])
    await settle(second, [sid])
    expect([ann, vera, sid].map(heardBy)).toEqual([
      [{ cancellation: ['p-first'] }],
      [{ cancellation: ['p-first'] }],
      [{ cancellation: ['p-second'] }],
    ])
  })

  it('opens no stream for a merchant that isn’t the user’s', async () => {
    const page = await openPage('sid', { 'x-debitdesk-merchant': defaultConnectionId })
    expect([page.status, heardBy(page)]).toEqual([404, []])
    expect((await openPage('nobody')).status).toBe(401)
  })

  it('tells of an export its owner alone, and of an import those who may read it', async () => {
    const [ann, vera] = [await openPage('ann'), await openPage('vera')]
    const id = randomUUID()
    await announceExport(fixture.store.db, { connectionId: defaultConnectionId, id, userId: ids.get('vera') ?? '' })
    await announce({ connectionId: defaultConnectionId, kind: 'import', id })
    await settle(defaultConnectionId, [ann, vera])
    expect([heardBy(ann), heardBy(vera)]).toEqual([[{ import: [id] }], [{ export: [id] }]])
  })

  it('is sent piece by piece: not compressed, stored or collected by anybody', async () => {
    const { status, headers } = await openPage('ann')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })

  it('tells of a change once it is committed, with its entry of the activity log, and of nothing that is undone', async () => {
    const ann = await openPage('ann')
    const entry = { connectionId: defaultConnectionId, objectKind: 'payment', details: { bulkId: 'b' } }
    const undone = fixture.store.db.transaction(async (tx) => {
      await appendActivity(tx, { ...entry, action: 'cancellation.accepted', objectId: 'undone' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await fixture.store.db.transaction((tx) =>
      appendActivity(tx, { ...entry, action: 'cancellation.accepted', objectId: 'done' }),
    )
    await settle(defaultConnectionId, [ann])
    // The first change is told alone, what comes with it or soon after together.
    expect(Object.assign({}, ...heardBy(ann))).toEqual({ cancellation: ['done'], bulk: ['b'] })
  })

  it('lists up to 50 ids and else says that it may be anything', async () => {
    const ann = await openPage('ann')
    const change = (id: number): Change => ({ connectionId: defaultConnectionId, kind: 'payment', id: `p${id}` })
    await announce(...Array.from({ length: 50 }, (_, id) => change(id)))
    await settle(defaultConnectionId, [ann])
    await announce(...Array.from({ length: 51 }, (_, id) => change(id)))
    await settle(defaultConnectionId, [ann])
    const [some, any] = heardBy(ann)
    expect([some?.payment, any]).toEqual([expect.objectContaining({ length: 50 }), { payment: null }])
  })

  it('takes no turn of its peer’s requests: others behind the same address are answered', async () => {
    const people = ['ann', 'vera'] as const
    for (const name of people)
      for (let count = 0; count < MAX_STREAMS_PER_PERSON; count += 1) expect((await openPage(name)).status).toBe(200)
    expect(await fixture.server.exchange(ask('/api/desk/events', last))).toContain(' 401 ')
    // One more than the person may have.
    const refused = await openPage('ann')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  })

  it('counts no stream that was left', async () => {
    for (let count = 0; count < MAX_STREAMS_PER_PERSON; count += 1) (await openPage('ann')).leave()
    await until('the streams to be gone', async () => (await openPage('ann')).status === 200)
    expect(open.at(-1)?.status).toBe(200)
  })
})

describe('a stream ends', () => {
  it('when its session is signed out, and no other with it', async () => {
    await fixture.addPerson('leaver', 'viewer')
    const [leaver, ann] = [await openPage('leaver'), await openPage('ann')]
    await fixture.signOut('leaver')
    await until('the stream of the session to end', () => leaver.reader.hasEnded)
    await settle(defaultConnectionId, [ann])
    expect(ann.reader.hasEnded).toBe(false)
    expect((await openPage('leaver')).status).toBe(401)
  })

  it('when the session is ended elsewhere, the role changes or the membership is gone', async () => {
    const { db } = fixture.store
    const access = () => announce({ connectionId: defaultConnectionId, kind: 'access' })
    const userId = await fixture.addPerson('mia', 'support')
    const isHers = and(eq(memberships.userId, userId), eq(memberships.connectionId, defaultConnectionId))
    const changed = await openPage('mia')
    await db.update(memberships).set({ role: 'viewer' }).where(isHers)
    await access()
    await until('the stream of the old role to end', () => changed.reader.hasEnded)
    // The page connects again at once.
    expect(changed.reader.isOver).toBe(false)

    const ended = await openPage('mia')
    await db.update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, userId))
    await access()
    await until('the stream of the ended session to end', () => ended.reader.hasEnded)
    expect(ended.reader.isOver).toBe(true)

    const other = await fixture.addPerson('tom', 'viewer')
    const removed = await openPage('tom')
    await db.delete(memberships).where(eq(memberships.userId, other))
    await access()
    await until('the stream of the former member to end', () => removed.reader.hasEnded)
    expect(removed.reader.isOver).toBe(true)
    expect((await openPage('tom')).status).toBe(401)
  })

  it('when the merchant is removed', async () => {
    const sid = await openPage('sid')
    const { db } = fixture.store
    await db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, second))
    await announce({ connectionId: second, kind: 'access' })
    await until('the stream of the merchant to end', () => sid.reader.hasEnded)
    expect((await openPage('sid')).status).toBe(401)
    await db.update(connections).set({ removedAt: null }).where(eq(connections.connectionId, second))
  })
})

it('ends all streams at once when the desk stops, and opens none any more', async () => {
  const pages = [await openPage('ann'), await openPage('vera')]
  const drained = closeEventStreams().then(() => fixture.server.drain())
  await until('all streams to end', () => pages.every(({ reader }) => reader.hasEnded))
  await within(10_000, 'the server to be drained', drained)
  expect(pages.map(({ reader }) => reader.hasEnded)).toEqual([true, true])
})
