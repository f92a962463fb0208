import { randomUUID } from 'node:crypto'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { connectionChange, newConnection } from '@/lib/domain/merchant-connection'
import type { OpenDatabase } from '@/lib/database/database'
import { findOverview, getOverview } from '../overview/overview'
import { readCapabilities } from '../upstream/capabilities'
import { writeProofRows } from '../upstream/capability-store'
import { getConnection } from '../upstream/connection'
import { createTenantScope } from '../auth/tenant-scope'
import type { Session } from '../auth/session'
import { passwordLinks } from '../store/auth-schema'
import { activity, cancellations, connections, memberships, sessions } from '../store/schema'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { addAdmin, setMemoryStore } from '../testing/store-fixture'
import { startSession } from '../auth/sessions'
import { createUser, disableUser } from '../auth/users'
import { makePasswordLink } from '../team/password-links'
import { addConnection, changeConnection, removeConnection } from './commands'
import { getUpstreamState } from '../upstream/upstream-state'
import { explainUnreadableCredential, openConnection } from '../upstream/stored-connections'
import { runWithContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'

const token = 'the-right-token'
const right = `Basic ${Buffer.from(`${token}:`).toString('base64')}`

let service: FaultService
let store: OpenDatabase
let session: Session
/** The record of the merchant that a credential belongs to: by default it has no id. */
let merchantOf: (authorization: string | undefined) => string = () => '{}'
/** Whether the service accepts a credential. */
let acceptsToken = (authorization: string | undefined): boolean => authorization === right
/** What happens while the service is asked. */
let meanwhile: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(async ({ headers, path }) => {
    await meanwhile()
    const [, status] = /^\/answers-(\d+)\//u.exec(path) ?? []
    if (status !== undefined) return { status: Number(status), body: '"none of its own"' }
    if (path.endsWith('/Merchants')) return { body: merchantOf(headers.authorization) }
    return acceptsToken(headers.authorization)
      ? { body: '{"results":[],"hasMore":false}' }
      : { status: 401, body: '{}' }
  })
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = token
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await setMemoryStore()
  session = await addAdmin(store.db)
})
beforeEach(async () => {
  service.requests.length = 0
  merchantOf = () => '{}'
  acceptsToken = (authorization) => authorization === right
  // What an earlier test has added is in no one's way.
  await store.db.update(connections).set({ removedAt: new Date() }).where(ne(connections.connectionId, 'default'))
})
afterAll(async () => {
  await service.close()
  await store.close()
})

const base = () => ({ name: 'Second', baseUrl: service.url, auth: 'basic', secret: token })
const given = (change: object = {}) => newConnection.parse({ ...base(), ...change })
const add = (change?: object, key: string = randomUUID(), by = session) =>
  addConnection(store.db, by, given(change), key)
const at = (connectionId: string): Session => ({ ...session, scope: createTenantScope(connectionId) })
/** A change of what was shown at this revision, by default the one after it was added. */
const change = (given: object = {}, revision = 1) => connectionChange.parse({ ...base(), ...given, revision })
const findRow = async (id: string) =>
  (await store.db.select().from(connections).where(eq(connections.connectionId, id)))[0]

it.each<[what: string, change: object | string, field: string, words: string]>([
  ['a token that the service refuses', { secret: 'wrong-token' }, 'secret', 'The provider refused this token.'],
  [
    'no credential where one is asked for',
    { auth: 'none', secret: undefined },
    'auth',
    'The provider requires credentials.',
  ],
  ['an address without the lists', '/answers-404', 'baseUrl', 'GET /Customers answered 404.'],
  ['a provider that fails', '/answers-500', 'baseUrl', 'GET /Customers answered 500.'],
  ['an address of something else', '/answers-200', 'baseUrl', 'Its reply can’t be read.'],
])('stores nothing of %s, and says so at its field', async (_, change, field, words) => {
  const before = await store.db.$count(connections)
  const wrong = typeof change === 'string' ? { baseUrl: `${service.url}${change}` } : change
  await expect(add(wrong)).rejects.toMatchObject({
    code: 'connection-fails',
    evidence: { errors: { [field]: [expect.stringContaining(words)] } },
  })
  expect(await store.db.$count(connections)).toBe(before)
})

it.each<[what: string, change: object, field: string]>([
  ['no token', { secret: undefined }, 'secret'],
  ['the address of a cloud’s own data', { baseUrl: 'http://169.254.169.254' }, 'baseUrl'],
  ['an address of the desk’s network', { baseUrl: 'https://10.0.0.1' }, 'baseUrl'],
  ['another port of this machine', { baseUrl: 'http://127.0.0.1:5432' }, 'baseUrl'],
  ['a name of this machine', { baseUrl: 'https://localhost' }, 'baseUrl'],
  ['plain http to the public', { baseUrl: 'http://service.example' }, 'baseUrl'],
  ['a query', { baseUrl: 'https://service.example/?a=b' }, 'baseUrl'],
  ['a credential in the address', { baseUrl: 'https://a:b@service.example' }, 'baseUrl'],
  ['a header that frames the message', { auth: 'header', header: 'Host' }, 'header'],
  ['client credentials without a server', { auth: 'client-credentials', clientId: 'desk' }, 'tokenUrl'],
  [
    'a token server in the desk’s network',
    { auth: 'client-credentials', clientId: 'desk', tokenUrl: 'https://192.168.0.1/token' },
    'tokenUrl',
  ],
])('stores nothing of %s, and says so at its field', async (_, change, field) => {
  const before = await store.db.$count(connections)
  await expect(add(change)).rejects.toMatchObject({
    code: 'bad-request',
    evidence: { errors: { [field]: [expect.any(String)] } },
  })
  expect(await store.db.$count(connections)).toBe(before)
})

it('stores the credential sealed, makes who added it the admin, and writes it down without the secret', async () => {
  const id = await add({ mode: 'test', amounts: 'major', cancellable: ['Open', 'open'] })
  const row = await findRow(id)
  expect(JSON.stringify(row)).not.toContain(token)
  expect(row?.credential).toMatch(/^[\w-]{40,}$/u)
  expect(getConnection(id)).toMatchObject({ rules: { amounts: 'major', cancellable: ['open'] }, mode: 'test' })
  const roles = await store.db.select().from(memberships).where(eq(memberships.connectionId, id))
  expect(roles).toMatchObject([{ userId: session.userId, role: 'admin' }])
  const entries = await store.db.select().from(activity).where(eq(activity.connectionId, id))
  expect(entries).toMatchObject([{ action: 'merchant.added', details: { name: 'Second', auth: 'basic' } }])
  expect(JSON.stringify(entries)).not.toContain(token)
})

it('adds one merchant where the reply was lost and the request is sent again, and another person’s by the same key', async () => {
  const key = randomUUID()
  const ids = await Promise.all([add({}, key), add({}, key)])
  const id = ids[0]
  expect([...ids, await add({}, key)]).toEqual([id, id, id])
  const entries = await store.db.select().from(activity).where(eq(activity.connectionId, id))
  expect(entries.map(({ action }) => action)).toEqual(['merchant.added'])
  expect(await add({}, key, await addAdmin(store.db))).not.toBe(id)
  await removeConnection(store.db, at(id))
  await expect(add({}, key)).rejects.toMatchObject({ code: 'conflict' })
})

it('adds no merchant, and renames none, to a name that the person sees already, but to one of other people’s', async () => {
  const id = await add()
  const taken = { code: 'bad-request', evidence: { errors: { name: ['is already taken'] } } }
  await expect(add({ name: 'SECOND' })).rejects.toMatchObject(taken)
  const third = await add({ name: 'Third' })
  await expect(changeConnection(store.db, at(third), change({ name: 'second' }))).rejects.toMatchObject(taken)
  await changeConnection(store.db, at(third), change({ name: 'THIRD' }))
  const added = await Promise.allSettled([add({ name: 'Fourth' }), add({ name: 'Fourth' })])
  expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await store.db.delete(memberships).where(eq(memberships.connectionId, id))
  expect(await add()).not.toBe(id)
})

it('a merchant is connected once, whatever it is called: not again by who works for it already', async () => {
  merchantOf = (authorization) => `{"id":"${authorization === right ? 'merchant-1' : 'merchant-2'}"}`
  const refuse = (name: string) => ({
    code: 'bad-request',
    evidence: { errors: { baseUrl: [`This merchant is connected here already, as “${name}”.`] } },
  })
  const ofSettings = await findRow('default')
  await expect(add()).rejects.toMatchObject(refuse(ofSettings?.name ?? ''))
  // Another service may have a merchant of the same id.
  const baseUrl = `${service.url}/other`
  await add({ baseUrl })
  await expect(add({ name: 'The same', baseUrl: `${baseUrl}/` })).rejects.toMatchObject(refuse('Second'))
  expect([...(globalThis.debitdeskUpstreamStates?.keys() ?? [])].filter((key) => key.startsWith('draft'))).toEqual([])
  // Without an id it can't be told.
  merchantOf = () => '{}'
  await add({ name: 'Unknown', baseUrl })
})

it('a merchant is connected once also by a change, but one that was connected twice may be changed', async () => {
  const second = 'the-second-token'
  const accepted = [token, second].map((secret) => `Bearer ${secret}`)
  acceptsToken = (authorization) => accepted.includes(authorization ?? '')
  merchantOf = (authorization) => `{"id":"${authorization === accepted[0] ? 'merchant-1' : 'merchant-2'}"}`
  const baseUrl = `${service.url}/other`
  await add({ baseUrl, auth: 'bearer' })
  const other = { name: 'Other', baseUrl, auth: 'bearer' }
  const id = await add({ ...other, secret: second })
  const refusal = {
    code: 'bad-request',
    evidence: { errors: { baseUrl: ['This merchant is connected here already, as “Second”.'] } },
  }
  await expect(changeConnection(store.db, at(id), change({ ...other, secret: token }))).rejects.toMatchObject(refusal)
  await changeConnection(store.db, at(id), change({ ...other, secret: second, amounts: 'major' }))
  // Both tokens are one merchant's.
  merchantOf = () => '{"id":"merchant-1"}'
  await changeConnection(store.db, at(id), change({ ...other, secret: token }, 2))
  const elsewhere = await add({ ...other, name: 'Elsewhere', baseUrl: `${service.url}/elsewhere` })
  const moved = change({ ...other, name: 'Elsewhere', secret: token })
  await expect(changeConnection(store.db, at(elsewhere), moved)).rejects.toMatchObject({ code: 'bad-request' })
})

it('seals for one connection: moved to another row, it does not open', async () => {
  const [one, other] = [await add(), await add({ name: 'Third' })]
  const row = await findRow(one)
  const moved = { ...row, connectionId: other } as NonNullable<typeof row>
  expect(row && explainUnreadableCredential(row)).toBeNull()
  expect(explainUnreadableCredential(moved)).toContain('can’t be read')
  if (!moved.settings) throw new Error('it has no settings')
  const { credential } = openConnection({ ...moved, settings: moved.settings })
  // Each reader is told in their own language, whoever opened it.
  const applied = runWithContext({ ...startTrace(), language: 'da' }, () => credential.apply({}))
  await expect(applied).rejects.toMatchObject({ evidence: { detail: expect.stringContaining('kan ikke læses') } })
})

it('keeps the credential while only words change, and asks for it again where it would go elsewhere', async () => {
  const id = await add()
  const before = await findRow(id)
  await changeConnection(store.db, at(id), change({ name: 'Renamed', secret: undefined }))
  const after = await findRow(id)
  expect(after).toMatchObject({ name: 'Renamed', credential: before?.credential, revision: 2 })
  expect(getConnection(id).name).toBe('Renamed')
  service.requests.length = 0
  const elsewhere = change({ baseUrl: 'https://elsewhere.example', secret: undefined }, 2)
  await expect(changeConnection(store.db, at(id), elsewhere)).rejects.toMatchObject({
    evidence: { errors: { secret: ['is required'] } },
  })
  const another = change({ auth: 'bearer', secret: undefined }, 2)
  await expect(changeConnection(store.db, at(id), another)).rejects.toMatchObject({
    evidence: { errors: { secret: ['is required'] } },
  })
  expect(service.requests).toEqual([])
})

it('leaves what somebody else has changed since the form was opened, and takes the same change twice', async () => {
  const id = await add()
  const theirs = change({ amounts: 'major', secret: undefined })
  await changeConnection(store.db, at(id), theirs)
  service.requests.length = 0
  await expect(changeConnection(store.db, at(id), change({ name: 'Renamed' }))).rejects.toMatchObject({
    code: 'conflict',
  })
  // A request whose reply was lost, sent again; with a secret it must be the same.
  await changeConnection(store.db, at(id), theirs)
  await changeConnection(store.db, at(id), change({ amounts: 'major' }))
  await expect(changeConnection(store.db, at(id), change({ amounts: 'major', secret: 'x' }))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(service.requests).toEqual([])
  expect(await findRow(id)).toMatchObject({ name: 'Second', settings: { amounts: 'major' }, revision: 2 })
})

it('a new address begins without what was proven and counted at the earlier one', async () => {
  const id = await add()
  await writeProofRows(store.db, getConnection(id), 'listPayments', { 'order:amount': true })
  expect(await readCapabilities(at(id), 'listPayments')).toEqual({ 'order:amount': true })
  getOverview(at(id), false)
  await changeConnection(store.db, at(id), change({ baseUrl: `${service.url}/other` }))
  expect(await readCapabilities(at(id), 'listPayments')).toEqual({})
  expect(findOverview(at(id))).toBeUndefined()
})

it('leaves no state of a service behind that nobody asks any more: an earlier address, a removed merchant, a draft', async () => {
  const id = await add()
  const all = () => [...(globalThis.debitdeskUpstreamStates?.keys() ?? [])]
  const names = () => all().filter((key) => key.startsWith('draft') || key.startsWith(id))
  getUpstreamState({ connectionId: id, baseUrl: new URL('https://earlier.example') })
  getUpstreamState(getConnection(id))
  await changeConnection(store.db, at(id), change({ name: 'Renamed' }))
  expect(names()).toEqual([`${id} ${service.url}`])
  await removeConnection(store.db, at(id))
  expect(names()).toEqual([])
})

it('changes and adds nothing for somebody whose account was disabled while the provider answered', async () => {
  const id = await add()
  const before = await findRow(id)
  const bo = await addAdmin(store.db, id)
  meanwhile = () => disableUser(store.db, bo.userId, new Date())
  try {
    await expect(changeConnection(store.db, bo, change({ name: 'Theirs' }))).rejects.toMatchObject({
      code: 'signed-out',
    })
    await expect(add({}, randomUUID(), bo)).rejects.toMatchObject({ code: 'signed-out' })
  } finally {
    meanwhile = async () => undefined
  }
  expect(await findRow(id)).toEqual(before)
})

it('changes and removes nothing of the connection that the settings describe', async () => {
  await expect(changeConnection(store.db, session, change())).rejects.toMatchObject({ code: 'conflict' })
  await expect(removeConnection(store.db, session)).rejects.toMatchObject({ code: 'conflict' })
})

it('ends the sign-ins and links of those whom its removal leaves without a merchant, and of nobody else', async () => {
  const id = await add()
  const bo = { email: 'left@example.com', password: 'moss-covered lantern', role: 'support' as const }
  const userId = await createUser(store.db, { ...bo, connectionId: id })
  await startSession(store.db, userId, new Date())
  await startSession(store.db, session.userId, new Date())
  const user = { id: userId, email: bo.email }
  await makePasswordLink(store.db, { user, kind: 'reset', madeBy: session.email }, new Date())
  const countOpen = (of: string) => store.db.$count(sessions, and(eq(sessions.userId, of), isNull(sessions.endedAt)))
  const links = and(eq(passwordLinks.userId, userId), isNull(passwordLinks.endedAt))
  expect([await countOpen(userId), await store.db.$count(passwordLinks, links)]).toEqual([1, 1])
  const own = await countOpen(session.userId)
  await removeConnection(store.db, at(id))
  expect([await countOpen(userId), await store.db.$count(passwordLinks, links)]).toEqual([0, 0])
  expect(await countOpen(session.userId)).toBe(own)
})

it('is removed only when no outcome is open, and takes its credential with it', async () => {
  const id = await add()
  const open = {
    id: randomUUID(),
    connectionId: id,
    paymentId: 'p',
    clientKey: randomUUID(),
    userId: session.userId,
    userEmail: session.email,
    reason: 'r',
    state: 'unknown' as const,
  }
  await store.db.insert(cancellations).values(open)
  await expect(removeConnection(store.db, at(id))).rejects.toMatchObject({ code: 'conflict' })
  expect((await findRow(id))?.removedAt).toBeNull()
  await store.db.update(cancellations).set({ closedAt: new Date() }).where(eq(cancellations.id, open.id))
  await removeConnection(store.db, at(id))
  expect(await findRow(id)).toMatchObject({ credential: null, removedAt: expect.any(Date) })
  expect(() => getConnection(id)).toThrow('not-found')
})
