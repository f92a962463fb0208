import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { RouteHandler } from '../http/route-declaration'
import { apiTokens } from '../store/api-token-schema'
import { factorResets } from '../store/factor-schema'
import { activity, cancellations, connections, defaultConnectionId, memberships } from '../store/schema'
import { AuthClient, testOrigin } from '../testing/auth-fixture'
import { type FaultService, startFaultService } from '../testing/fault-service'
import {
  addFirstAdmin,
  answerAsTwo,
  asBasic,
  canary,
  seedFirstMerchant,
  theirs,
  tokens,
} from '../testing/two-merchants'
import { setMemoryStore } from '../testing/store-fixture'
import { fillParams, loadRouteFiles } from '../testing/route-files'
import { createUser } from '../auth/users'
import { encryptCredential } from '../upstream/stored-connections'

const password = 'moss-covered lantern'
const second = 'm-second'

const files = await loadRouteFiles()
const guarded = files.flatMap(({ path, folder, exported }) =>
  Object.entries(exported).flatMap(([method, handler]) =>
    handler.declaration.kind === 'permission' ? [{ name: `${method} ${path}`, method, folder, handler }] : [],
  ),
)
/** Bodies without which a request would be refused before the other merchant's data is looked up. */
const bodies: Record<string, unknown> = {
  'DELETE /api/service/Payments/[paymentId]': { text: 'twice' },
  'PUT /api/service/Customers/[customerIdOrHandle]': { name: 'Ann' },
  'POST /api/desk/bulk/[bulkId]': { action: 'stop' },
  'POST /api/desk/bulk/[bulkId]/start': { count: 1, digest: '0'.repeat(64), sums: [], reason: 'twice' },
  'POST /api/desk/bulk/[bulkId]/approval': { decision: 'withdraw' },
  'POST /api/desk/cancellations/[cancellationId]/handled': { note: 'seen' },
  'POST /api/desk/exports/[exportId]': { action: 'stop' },
  'POST /api/desk/imports/[importId]': { action: 'stop' },
  'POST /api/desk/imports/[importId]/lines': { line: 1, decision: 'leave-out' },
  'PATCH /api/desk/bulk/[bulkId]/rows': { position: 0, isLeftOut: true },
  'PATCH /api/desk/notes/[noteId]': { isDone: true },
  'PUT /api/desk/notifications': { connectionId: defaultConnectionId, kind: 'rejected', isWanted: true },
  'PATCH /api/desk/team/[userId]': { role: 'admin' },
  'PUT /api/desk/views/[viewId]': { name: 'mine' },
  'PUT /api/desk/views/[viewId]/default': { isDefault: true },
  'PUT /api/desk/views/[viewId]/query': { query: 'state=Pending' },
}

/** Routes for which a missing record is no error: it is deleted already, or a cancellation that ended unsent. */
const answersTheAbsent = ['DELETE /api/desk/agreements/[agreementId]', 'DELETE /api/service/Payments/[paymentId]']

let service: FaultService
let store: OpenDatabase
const cookies = new Map<'both' | 'second' | 'first', string>()

async function signIn(email: string): Promise<string> {
  const visitor = new AuthClient()
  await visitor.signIn(email, password)
  return visitor.cookieHeader
}

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(({ path, headers }) => answerAsTwo(path, headers.authorization))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = tokens.first
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  store = await setMemoryStore()
  await store.db.insert(connections).values({
    connectionId: second,
    name: 'Second',
    settings: {
      baseUrl: service.url,
      auth: 'basic',
      header: 'X-Api-Key',
      amounts: 'hundredths',
      cancellable: ['pending'],
      cancelled: ['cancelled'],
      final: [],
      mode: 'test',
    },
    ...encryptCredential(second, tokens.second),
  })
  await addFirstAdmin(store.db, 'first@example.com', password)
  cookies.set('first', await signIn('first@example.com'))
  for (const [name, connectionId] of [
    ['both', defaultConnectionId],
    ['second', second],
  ] as const) {
    const email = `${name}@example.com`
    const userId = await createUser(store.db, { email, password, role: 'admin', connectionId })
    if (name === 'both') await store.db.insert(memberships).values({ connectionId: second, userId, role: 'viewer' })
    cookies.set(name, await signIn(email))
  }
  await seedFirstMerchant(store.db)
  // With an open cancellation, the table below cannot remove the other merchant.
  await store.db.insert(cancellations).values({
    id: randomUUID(),
    connectionId: second,
    paymentId: 'p',
    clientKey: randomUUID(),
    userId: randomUUID(),
    userEmail: 'b',
    reason: 'b',
    state: 'unknown',
  })
})
afterAll(async () => {
  await service.close()
  await store.close()
})

type Route = { name: string; method: string; folder: string; handler: RouteHandler }
type As = { who: 'both' | 'second' | 'first'; merchant?: string; address?: string; id?: string }

/** The whole of a reply; of an event stream, which stays open, its beginning. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

async function send(
  { method, folder, handler }: Route,
  { who, merchant, address = '', id = theirs }: As,
  body?: string,
) {
  const headers: Record<string, string> = {
    origin: testOrigin,
    'x-debitdesk': '1',
    'idempotency-key': randomUUID(),
    cookie: cookies.get(who) ?? '',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(merchant !== undefined && { 'x-debitdesk-merchant': merchant }),
  }
  const request = new Request(`${testOrigin}/${folder}${address}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  service.requests.length = 0
  const response = await handler(request, { params: Promise.resolve(fillParams(folder, id)) })
  const text = await readText(response)
  return { status: response.status, text, headers: response.headers, sent: [...service.requests] }
}

async function ask(route: Route, as: As) {
  if (['GET', 'HEAD'].includes(route.method)) return send(route, as)
  const answer = await send(route, as, JSON.stringify(bodies[route.name] ?? {}))
  // A syntactically invalid id would not be looked up at all.
  return answer.text.includes('This request takes no body') ? send(route, as) : answer
}

const find = (name: string): Route => {
  const route = guarded.find((one) => one.name === name)
  if (!route) throw new Error(`there is no ${name}`)
  return route
}

describe.each(guarded)('$name (AZ-04)', (route) => {
  it('does not exist for a merchant that is not the user’s, as for one that does not exist', async () => {
    const foreign = await ask(route, { who: 'second', merchant: defaultConnectionId })
    const absent = await ask(route, { who: 'second', merchant: 'm-nobody' })
    expect([foreign.status, absent.status]).toEqual([404, 404])
    const told = ({ text }: { text: string }) => ({ ...JSON.parse(text || '{}'), instance: null })
    expect(told(foreign)).toEqual(told(absent))
    expect([...foreign.sent, ...absent.sent]).toEqual([])
  })

  it('shows, sends and answers nothing of another merchant’s, whatever id is given', async () => {
    const { status, text, headers, sent } = await ask(route, { who: 'second' })
    expect(text).not.toContain(canary)
    expect(JSON.stringify([...headers])).not.toContain(canary)
    expect(sent.filter((one) => one.headers.authorization === asBasic(tokens.first))).toEqual([])
    // Like an unknown id: its existence elsewhere is not revealed.
    const nobody = await ask(route, { who: 'second', id: randomUUID() })
    expect(status).toBe(nobody.status)
    const isNamed = route.folder.includes('[')
    expect(isNamed && !answersTheAbsent.includes(route.name) ? status : 404).toBe(404)
  })
})

describe('reaching for another’s merchant', () => {
  it('is written down once in a while, with who and what, and nothing of the other', async () => {
    await vi.waitFor(async () => {
      const rows = await store.db.select().from(activity).where(eq(activity.action, 'merchant.refused'))
      expect(rows.map(({ actor, connectionId }) => [actor, connectionId])).toEqual([['second@example.com', second]])
    })
  })
})

describe('the connection of a merchant', () => {
  it('is tested with its own credential, and not removed while an outcome is open', async () => {
    const tested = await ask(find('POST /api/desk/merchants/current/test'), { who: 'second' })
    expect(JSON.parse(tested.text).findings).toContainEqual(
      expect.objectContaining({ subject: 'credential', result: 'ok' }),
    )
    expect((await ask(find('DELETE /api/desk/merchants/current'), { who: 'second' })).status).toBe(409)
  })
})

describe('a user with two merchants', () => {
  const list = () => find('GET /api/service/Payments')

  it('reads each with its own credential, as the request names it', async () => {
    const first = await ask(list(), { who: 'both', merchant: defaultConnectionId })
    const other = await ask(list(), { who: 'both', merchant: second })
    expect([first.text.includes(canary), other.text.includes(canary)]).toEqual([true, false])
    const inAddress = await ask(list(), { who: 'both', address: `?merchant=${second}` })
    expect(inAddress.sent.map(({ headers }) => headers.authorization)).toEqual([asBasic(tokens.second)])
    // It is the desk's own: the service never receives it.
    expect(inAddress.sent.map(({ path }) => path).join()).not.toContain('merchant')
  })

  it('must name one, and only one', async () => {
    const unnamed = await ask(list(), { who: 'both' })
    const twice = await ask(list(), { who: 'both', merchant: second, address: `?merchant=${defaultConnectionId}` })
    expect([unnamed.status, twice.status, unnamed.sent.length + twice.sent.length]).toEqual([400, 400, 0])
  })

  it('has the role that each gives', async () => {
    const create = find('POST /api/service/Customers')
    expect((await ask(create, { who: 'both', merchant: second })).status).toBe(403)
    expect((await ask(create, { who: 'both', merchant: defaultConnectionId })).status).not.toBe(403)
  })

  it('never gets one merchant’s reply for the other, however many ask at once (BF-11)', async () => {
    const asked = Array.from({ length: 200 }, (_, index) => index % 2 === 0)
    const read = async (isFirst: boolean) => {
      const merchant = isFirst ? defaultConnectionId : second
      const cookie = cookies.get('both') ?? ''
      const request = new Request(`${testOrigin}/api/service/Payments`, {
        headers: { cookie, 'x-debitdesk-merchant': merchant },
      })
      const response = await list().handler(request, { params: Promise.resolve(undefined) })
      return { isFirst, status: response.status, isFirsts: (await response.text()).includes(canary) }
    }
    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all(asked.map(read))
      // On a busy machine some may time out; none may be the other merchant's.
      const answered = replies.filter(({ status }) => status === 200)
      expect(answered.filter(({ isFirst, isFirsts }) => isFirst !== isFirsts)).toEqual([])
      expect(replies.filter(({ isFirst, isFirsts }) => isFirsts && !isFirst)).toEqual([])
      expect(answered.length).toBeGreaterThan(0)
    }
  })

  it('works for one alone once the other is removed', async () => {
    await store.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, second))
    const gone = await ask(list(), { who: 'both', merchant: second })
    const only = await ask(list(), { who: 'both' })
    expect([gone.status, only.status]).toEqual([404, 200])
    expect(JSON.parse(gone.text)).toMatchObject({ title: 'You can’t work for this merchant' })
    expect((await ask(list(), { who: 'second' })).status).toBe(401)
    await store.db.update(connections).set({ removedAt: null }).where(eq(connections.connectionId, second))
  })

  it('is told when the credential was sealed with an earlier secret, and nothing is sent', async () => {
    const change = { credentialKey: 'earlier', revision: 2 }
    await store.db.update(connections).set(change).where(eq(connections.connectionId, second))
    const { status, text, sent } = await ask(list(), { who: 'both', merchant: second })
    expect([status, sent.length]).toEqual([502, 0])
    expect(text).toContain('NEXTAUTH_SECRET was changed')
  })
})

describe('what is reached for above', () => {
  // What is deleted is there for no route after it.
  const named = guarded
    .filter(({ folder }) => folder.includes('['))
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

  it.each(named)('is there for its own merchant: $name', async (route) => {
    // Includes ending all of one's own sign-ins and removing oneself from the team.
    const membership = { connectionId: defaultConnectionId, userId: theirs, role: 'admin' }
    await store.db.insert(memberships).values(membership).onConflictDoNothing()
    // Ended along with the membership of who asked for it.
    const reset = {
      connectionId: defaultConnectionId,
      userId: theirs,
      requestedBy: theirs,
      expiresAt: new Date(2 ** 42),
    }
    await store.db.insert(factorResets).values(reset).onConflictDoNothing()
    // One of the routes has revoked it, or the membership's end.
    await store.db.update(apiTokens).set({ revokedAt: null })
    const { status: signedIn } = await ask(find('GET /api/desk/sessions'), { who: 'first' })
    if (signedIn === 401) cookies.set('first', await signIn('first@example.com'))
    const { status, text } = await ask(route, { who: 'first' })
    expect([400, 401, 403, 404, 500, 502, 503]).not.toContain(status)
    // Each change has its own reply.
    expect(route.method === 'GET' ? text : canary).toContain(canary)
  })
})
