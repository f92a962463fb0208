import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasPermission, type Role, roles } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import type { RouteHandler, RouteMethod } from './route-declaration'
import { activity, cancellations, defaultConnectionId, sessions } from '../store/schema'
import { AuthClient, testOrigin } from '../testing/auth-fixture'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { setMemoryStore } from '../testing/store-fixture'
import { fillParams, loadRouteFiles } from '../testing/route-files'
import { createUser } from '../auth/users'

const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const password = 'moss-covered lantern'
const own: Record<string, string> = {
  origin: testOrigin,
  'x-debitdesk': '1',
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
}

const files = await loadRouteFiles()
const handlers = files.flatMap(({ path, folder, exported }) =>
  Object.entries(exported).map(([method, handler]) => ({
    name: `${method} ${path}`,
    method: method as RouteMethod,
    folder,
    handler,
  })),
)
const guarded = handlers.flatMap((one) =>
  one.handler.declaration?.kind === 'permission' ? [{ ...one, ...one.handler.declaration }] : [],
)
const changing = guarded.filter(({ method }) => method !== 'GET' && method !== 'HEAD')

let service: FaultService
let store: OpenDatabase
const cookies = new Map<Role, string>()
/** The cookies of an ended and of a valid sign-in. */
const copied = { ended: '', live: '' }

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(() => ({ body: '{"results":[],"hasMore":false}' }))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  store = await setMemoryStore()
  for (const role of roles) {
    const email = `${role}@example.com`
    await createUser(store.db, { email, password, role, connectionId: defaultConnectionId })
    const visitor = new AuthClient()
    await visitor.signIn(email, password)
    cookies.set(role, visitor.cookieHeader)
  }
  const leaver = new AuthClient()
  await leaver.signIn('admin@example.com', password)
  copied.ended = leaver.cookieHeader
  await leaver.signOut()
  copied.live = cookies.get('admin')?.split('session-token=')[1] ?? ''
})
beforeEach(() => {
  service.requests.length = 0
})
afterAll(async () => {
  await service.close()
  await store.close()
})

type Asked = { role?: Role | undefined; headers?: Record<string, string | undefined>; body?: string; method?: string }

async function ask(
  { method, folder, handler }: { method: string; folder: string; handler: RouteHandler },
  asked: Asked = {},
) {
  const cookie = asked.role && cookies.get(asked.role)
  const headers = Object.entries({ ...own, ...(cookie && { cookie }), ...asked.headers }).filter(
    ([, value]) => value !== undefined,
  )
  const hasBody = !['GET', 'HEAD'].includes(method)
  const request = new Request(`${testOrigin}/${folder}`, {
    method,
    headers,
    ...(hasBody && { body: asked.body ?? '{}' }),
  })
  const response = await handler(request, { params: Promise.resolve(fillParams(folder, id)) })
  const told = response.ok ? { type: '' } : await response.json()
  // An event stream stays open until it is left.
  if (response.ok) await response.body?.cancel()
  const { type } = told
  return { status: response.status, code: String(type).split('/').at(-1), headers: response.headers, told }
}

/** The traces of a write that was not refused. */
async function countTraces(): Promise<number> {
  const [intents, entries] = [await store.db.$count(cancellations), await store.db.$count(activity)]
  return intents + entries + service.requests.length
}

describe('every route file', () => {
  it('is found', () => {
    expect(files.length).toBeGreaterThan(15)
    expect(changing.length).toBeGreaterThan(8)
  })

  it.each(handlers)('declares who may call it: $name (AZ-01)', ({ handler }) => {
    expect(handler.declaration?.kind).toMatch(/^(?:permission|open|refused)$/u)
  })

  it('is open only with a reason, and never under the service or the desk', () => {
    const open = handlers.flatMap(({ handler, folder }) =>
      handler.declaration.kind === 'open' ? [{ folder, why: handler.declaration.why }] : [],
    )
    expect(open.every(({ why }) => why.length > 10)).toBe(true)
    expect(open.filter(({ folder }) => /^api\/(?:service|desk)/u.test(folder))).toEqual([])
  })
})

describe.each(guarded)('$name, without any proxy before it (AZ-01, AZ-02)', (route) => {
  it('answers nobody who is not signed in, or is not any more (SE-06, SE-17)', async () => {
    for (const headers of [
      {},
      { cookie: 'debitdesk.session=x' },
      { cookie: copied.ended },
      { authorization: `Bearer ${id}` },
      { authorization: `Bearer ${copied.live}` },
      { authorization: 'Bearer %E0%A4%A' },
      { 'x-middleware-subrequest': 'proxy' },
    ]) {
      expect(await ask(route, { headers })).toMatchObject({ status: 401, code: 'signed-out' })
    }
    expect(service.requests).toEqual([])
  })

  it.each(roles)('lets a %s do what the declaration says', async (role) => {
    const { status, code } = await ask(route, { role })
    expect(code).not.toBe('internal')
    const isRefused = code === 'forbidden' || code === 'signed-out' || code === 'cross-origin'
    expect({ isRefused, status: isRefused ? status : 0 }).toEqual(
      hasPermission(role, route.permission) ? { isRefused: false, status: 0 } : { isRefused: true, status: 403 },
    )
    expect(isRefused ? service.requests : []).toEqual([])
  })

  it('is never to be kept, whoever asks (BF-09)', async () => {
    for (const role of [undefined, 'viewer', 'admin'] as const) {
      const { headers } = await ask(route, { role })
      expect(headers.get('cache-control')).toMatch(/^private, no-store(?:, no-transform)?$/u)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

const reading = guarded.filter(({ method }) => method === 'GET' || method === 'HEAD')

describe.each(reading)('$name is not read for a page of another site (SE-02)', (route) => {
  it.each(['cross-site', 'same-site'])('by a navigation from %s', async (site) => {
    const before = await countTraces()
    // Long ago, so that a read would prolong the session.
    await store.db.update(sessions).set({ lastSeenAt: new Date(Date.now() - 5 * 60_000) })
    const headers = { origin: undefined, 'x-debitdesk': undefined, 'content-type': undefined, 'sec-fetch-site': site }
    expect(await ask(route, { role: 'admin', headers })).toMatchObject({ status: 403, code: 'cross-origin' })
    expect(await countTraces()).toBe(before)
    const seen = await store.db.select({ at: sessions.lastSeenAt }).from(sessions)
    expect(Math.max(...seen.map(({ at }) => at.getTime()))).toBeLessThan(Date.now() - 4 * 60_000)
  })
})

const attacks: [string, Asked][] = [
  [
    'a form of another site',
    {
      headers: {
        origin: 'https://evil.test',
        'x-debitdesk': undefined,
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'text=x',
    },
  ],
  [
    'a form with files of another site',
    {
      headers: {
        origin: 'https://evil.test',
        'x-debitdesk': undefined,
        'sec-fetch-site': 'cross-site',
        'content-type': 'multipart/form-data; boundary=x',
      },
    },
  ],
  [
    'a form that writes JSON as text',
    {
      headers: {
        origin: 'https://evil.test',
        'x-debitdesk': undefined,
        'sec-fetch-site': 'cross-site',
        'content-type': 'text/plain',
      },
    },
  ],
  ['another site that knows our header', { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } }],
  [
    'another site whose browser says nothing of it',
    { headers: { origin: 'https://evil.test', 'sec-fetch-site': undefined } },
  ],
  ['a sibling host', { headers: { origin: 'http://sub.127.0.0.1.test:3000', 'sec-fetch-site': 'same-site' } }],
  ['the same host on another port', { headers: { origin: 'http://127.0.0.1:3001', 'sec-fetch-site': 'same-site' } }],
  ['an origin that begins like ours', { headers: { origin: `${testOrigin}.evil.test` } }],
  ['an origin with more than an origin', { headers: { origin: `${testOrigin}/` } }],
  ['our host by another scheme', { headers: { origin: testOrigin.replace('http:', 'https:') } }],
  ['an embedded frame without an origin', { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }],
  ['an embedded frame that hides where it is from', { headers: { origin: 'null' } }],
  ['no origin', { headers: { origin: undefined } }],
  ['an address typed in, or a link', { headers: { 'sec-fetch-site': 'none' } }],
  ['no header of ours', { headers: { 'x-debitdesk': undefined } }],
  ['a header of ours that says something else', { headers: { 'x-debitdesk': '0' } }],
  [
    'a Host that agrees with a foreign Origin',
    { headers: { origin: 'http://evil.test:3000', host: 'evil.test:3000', 'x-forwarded-host': 'evil.test:3000' } },
  ],
]

describe.each(changing)('$name changes something and is not done (SE-02)', (route) => {
  it.each(attacks)('for %s', async (_, attack) => {
    const before = await countTraces()
    const body = attack.body ?? '{"text":"x","name":"x","webhookUrl":"https://example.com"}'
    expect(await ask(route, { role: 'admin', ...attack, body })).toMatchObject({ status: 403, code: 'cross-origin' })
    expect(await countTraces()).toBe(before)
  })

  it('for a body that is not JSON, though all else is right', async () => {
    const before = await countTraces()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
    ]) {
      expect(await ask(route, { role: 'admin', headers: { 'content-type': type } })).toMatchObject({ status: 415 })
    }
    expect(await countTraces()).toBe(before)
  })
})

describe.each(changing)('$name (AZ-05)', (route) => {
  it('takes no field that it does not know, and says so', async () => {
    const before = await countTraces()
    // Three routes choose their schema by the first three fields; without them the rest is not validated.
    const body = {
      kind: 'list',
      role: 'viewer',
      decision: 'withdraw',
      connectionId: 'x',
      createdBy: 'x',
      isAdmin: true,
    }
    const { status, told } = await ask(route, { role: 'admin', body: JSON.stringify(body) })
    expect(status).toBe(400)
    expect(told.detail).toMatch(/^(?:This request takes no body|The body wasn’t understood)\.$/u)
    const isWhole = told.detail.startsWith('This request takes') || '' in told.errors
    expect(isWhole ? ['is unknown'] : told.errors.createdBy).toEqual(['is unknown'])
    expect(await countTraces()).toBe(before)
  })
})

describe('a GET that asks for another method', () => {
  it.each(handlers.filter(({ method, handler }) => method === 'GET' && handler.declaration.kind === 'refused'))(
    'is no way into $name',
    async (route) => {
      const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'DELETE' }
      expect(await ask(route, { role: 'admin', headers })).toMatchObject({ status: 405 })
    },
  )
})
