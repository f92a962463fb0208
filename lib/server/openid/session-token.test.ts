import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CancellationView } from '@/lib/contract/cancellation'
import type { OpenDatabase } from '@/lib/database/open-database'
import { matchCancellationWorkers } from '../cancellations/worker'
import { resumeWaitingImports } from '../imports/resume-waiting'
import { defaultConnectionId } from '../store/default-connection'
import { providerTokens } from '../store/provider-schema'
import { sessions, users } from '../store/schema'
import { AuthClient, testOrigin } from '../testing/auth-client'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { setMemoryStore } from '../testing/memory-store'
import { type OpenIdProvider, startOpenIdProvider } from '../testing/openid-provider'
import { loadRouteFiles } from '../testing/route-files'
import { walkProvider } from '../testing/walk-provider'
import { createUser } from '../users'

const password = 'moss-covered lantern'
const paymentId = randomUUID()
const seen = { amount: 100, currency: 'DKK', status: 'Pending', modifiedAt: '2026-11-01T00:00:00Z' }

let provider: OpenIdProvider
let service: FaultService
let store: OpenDatabase
let state = 'Pending'
/** Bearers that the service takes besides all that the provider has given; null: all of those. */
let refused = new Set<string>()
let log = ''

const files = await loadRouteFiles()
function find(path: string, method: 'GET' | 'POST') {
  const handler = files.find((file) => file.path === path)?.exported[method]
  if (!handler) throw new Error(`there is no ${method} ${path}`)
  return handler
}

const bearers = () => service.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''))
const given = () => provider.given.map(({ access_token: token }) => String(token))

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    log += String(text)
    return true
  })
  // Shorter than what a token is renewed before its end: each use renews it.
  provider = await startOpenIdProvider({ desk: testOrigin, lifetime: 20 })
  for (const name of ['ann', 'ben'])
    provider.people.set(name, { email: `${name}@example.com`, email_verified: true, roles: ['admin'] })
  service = await startFaultService(({ method, headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!given().includes(token) || refused.has(token)) return { status: 401, body: '{}' }
    if (method === 'POST')
      return { status: 201, body: JSON.stringify({ id: randomUUID(), handle: 'cu_1' }), delay: 150 }
    if (method === 'DELETE') {
      state = 'Cancelling'
      return { status: 202, body: '' }
    }
    const payment = { ...seen, id: paymentId, reference: 'r', status: state }
    return { body: JSON.stringify({ results: [payment], hasMore: false, nextOffset: null }) }
  })
  Object.assign(process.env, {
    UPSTREAM_URL: service.url,
    UPSTREAM_AUTH: 'session',
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
    NEXTAUTH_URL: testOrigin,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  store = await setMemoryStore()
})
afterEach(() => {
  refused = new Set()
  service.requests.length = 0
})
afterAll(async () => {
  for (const { worker } of globalThis.debitdeskCancellationWorkers?.values() ?? []) await (await worker).stop()
  await provider.close()
  await service.close()
  await store.close()
})

async function signIn(sub: string): Promise<AuthClient> {
  const client = new AuthClient()
  const { url } = await (await client.post('signin/oidc', { callbackUrl: '/' })).json()
  await client.send('GET', `callback/oidc${(await walkProvider(provider, url, sub, testOrigin)).search}`)
  return client
}

async function ask(client: AuthClient, path: string, body?: object) {
  const handler = find(path.split('?')[0] ?? '', body ? 'POST' : 'GET')
  const request = new Request(`${testOrigin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      cookie: client.cookieHeader,
      origin: testOrigin,
      'x-debitdesk': '1',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const response = await handler(request, { params: Promise.resolve({}) })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text || 'null') }
}

async function idOf(name: string): Promise<string> {
  const [row] = await store.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, `${name}@example.com`))
  return row?.id ?? ''
}

const list = (client: AuthClient) => ask(client, '/api/service/Payments')
const countTokens = () => provider.counts.get('token') ?? 0

describe('asked with the user’s own access token, the service', () => {
  it('hears each user with a token of their own, however many ask at once', async () => {
    const [ann, ben] = [await signIn('ann'), await signIn('ben')]
    const before = countTokens()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => list(index % 2 === 0 ? ann : ben)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    // One renewal each, for twenty askers.
    expect(countTokens() - before).toBe(2)
    expect(new Set(bearers()).size).toBe(2)
    expect(bearers().every((token) => given().includes(token ?? ''))).toBe(true)
  })

  it('is asked with tokens that rotate, time after time', async () => {
    const ann = await signIn('ann')
    for (let times = 0; times < 4; times += 1) expect((await list(ann)).status).toBe(200)
    expect(new Set(bearers()).size).toBe(4)
  })

  it('may refuse a token once: another is fetched and the request repeated', async () => {
    const ann = await signIn('ann')
    await list(ann)
    // Renewed at each use: refuse the one that comes next as well as all before.
    provider.tamper = (body) => {
      refused.add(String(body.access_token))
      provider.tamper = null
    }
    service.requests.length = 0
    expect((await list(ann)).status).toBe(200)
    expect(bearers()).toHaveLength(2)
  })

  it('never sees a token in the store, in a cookie, in a reply or in the log', async () => {
    const ann = await signIn('ann')
    const reply = await list(ann)
    const rows = JSON.stringify(await store.db.select().from(providerTokens))
    const secrets = provider.given.flatMap(({ access_token: a, refresh_token: r, id_token: i }) =>
      [a, r, i].filter((one) => typeof one === 'string'),
    )
    const told = [rows, ann.setCookies.join('\n'), reply.text, log].join('\n')
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
    expect(secrets.length).toBeGreaterThan(2)
  })

  it('is not asked for somebody without a token', async () => {
    const email = 'local@example.com'
    await createUser(store.db, { email, password, role: 'admin', connectionId: defaultConnectionId })
    const local = new AuthClient()
    await local.signIn(email, password)
    expect(await list(local)).toMatchObject({ status: 403, text: expect.stringContaining('owner-signed-out') })
    expect(service.requests).toEqual([])
  })

  it('is asked no more when the provider gives no more', async () => {
    const ann = await signIn('ann')
    const claims = provider.people.get('ann') ?? {}
    provider.people.delete('ann')
    expect(await list(ann)).toMatchObject({ status: 403, text: expect.stringContaining('owner-signed-out') })
    expect((await list(ann)).status).toBe(403)
    expect(service.requests).toEqual([])
    provider.people.set('ann', claims)
  })

  it('is asked no more after signing out, and the tokens are gone', async () => {
    const before = await store.db.$count(providerTokens)
    const ann = await signIn('ann')
    expect(await store.db.$count(providerTokens)).toBe(before + 1)
    await ann.signOut()
    expect(await store.db.$count(providerTokens)).toBe(before)
    expect((await list(ann)).status).toBe(401)
    expect(service.requests).toEqual([])
  })
})

describe('a cancellation that outlives its owner’s sign-in', () => {
  const readOne = async (client: AuthClient) =>
    (await ask(client, `/api/desk/cancellations?paymentId=${paymentId}`)).json.cancellations[0] as CancellationView

  it('waits for the next sign-in, says so, and then comes to its end', async () => {
    await store.db.update(sessions).set({ endedAt: new Date() })
    const [ann, ben] = [await signIn('ann'), await signIn('ben')]
    state = 'Pending'
    const request = { key: randomUUID(), paymentId, reason: 'twice', seen }
    const begun = await ask(ann, '/api/desk/cancellations', request)
    expect(begun.json).toMatchObject({ outcome: 'requested' })
    await ann.signOut()
    await matchCancellationWorkers()
    service.requests.length = 0
    state = 'Cancelled'
    const waiting = await readOne(ben)
    expect(waiting).toMatchObject({
      outcome: 'requested',
      closed: false,
      reason: 'owner-signed-out',
      detail: 'ann@example.com',
    })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await matchCancellationWorkers()
    // Nobody lends their token for it.
    expect(service.requests).toEqual([])
    expect((await readOne(ben)).closed).toBe(false)

    await signIn('ann')
    await matchCancellationWorkers()
    await vi.waitFor(async () => expect(await readOne(ben)).toMatchObject({ outcome: 'cancelled', closed: true }), {
      timeout: 15_000,
      interval: 200,
    })
    expect(service.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  })
})

describe('an import that outlives its owner’s sign-in', () => {
  it('waits for the next sign-in, says so, and then goes on by itself', async () => {
    const [ann, ben] = [await signIn('ann'), await signIn('ben')]
    const text = `Name\n${Array.from({ length: 12 }, (_, index) => `Customer ${index}`).join('\n')}`
    const begun = await ask(ann, '/api/desk/imports', { fileName: 'c.csv', text, mapping: { name: 0 } })
    expect(begun.status).toBe(202)
    // Every sign-in of hers, those of other tests too.
    await store.db
      .update(sessions)
      .set({ endedAt: new Date() })
      .where(eq(sessions.userId, await idOf('ann')))
    const view = async () => (await ask(ben, '/api/desk/imports')).json.imports[0]
    await vi.waitFor(
      async () => expect(await view()).toMatchObject({ state: 'held', problem: 'owner-signed-out' }),
      10_000,
    )
    const sent = service.requests.filter(({ method }) => method === 'POST').length
    await resumeWaitingImports(store.db)
    expect((await view()).state).toBe('held')

    await signIn('ann')
    await resumeWaitingImports(store.db)
    await vi.waitFor(async () => expect((await view()).state).toBe('done'), { timeout: 15_000, interval: 200 })
    expect(sent).toBeLessThan(12)
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(12)
  })
})
