import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { requireRecentPassword } from './step-up'
import { readSessionFrom } from './session'
import { activity, connections, defaultConnectionId, memberships, users } from '../store/schema'
import { identities, providerTokens } from '../store/auth-schema'
import { factorResets } from '../store/factor-schema'
import { AuthClient, testOrigin } from '../testing/auth-fixture'
import { setMemoryStore } from '../testing/store-fixture'
import { type OpenIdProvider, startOpenIdProvider, walkProvider } from '../testing/openid-provider'
import { createUser } from './users'

const sessionCookie = 'next-auth.session-token'

let provider: OpenIdProvider
/** Another provider, and another client of the same one, whose tokens must not be accepted. */
let stranger: OpenIdProvider
let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  provider = await startOpenIdProvider({ desk: testOrigin })
  stranger = await startOpenIdProvider({ desk: testOrigin, clientId: 'another' })
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  process.env.OIDC_ISSUER = provider.issuer
  process.env.OIDC_CLIENT_ID = provider.clientId
  process.env.OIDC_CLIENT_SECRET = provider.clientSecret
  store = await setMemoryStore()
  for (const one of [provider, stranger]) {
    one.people.set('ann', { email: 'ann@example.com', email_verified: true, roles: ['support'] })
    one.people.set('mallory', { email: 'boss@example.com', email_verified: false, roles: ['viewer'] })
    one.people.set('eve', { email: 'boss@example.com', email_verified: true, roles: ['viewer'] })
    one.people.set('nobody', { email: 'nobody@example.com', email_verified: true, roles: ['cook'] })
  }
})
afterEach(() => {
  provider.tamper = null
})
afterAll(async () => {
  await provider.close()
  await stranger.close()
  await store.close()
})

const walk = (start: string, sub: string) => walkProvider(provider, start, sub, testOrigin)

/** The address to which the desk redirects for signing in. */
async function begin(client: AuthClient): Promise<string> {
  const { url } = await (await client.post('signin/oidc', { callbackUrl: '/payments' })).json()
  return url
}

async function comeBack(client: AuthClient, back: URL): Promise<string> {
  const response = await client.send('GET', `callback/oidc${back.search}`)
  return response.headers.get('location') ?? `${response.status}`
}

async function signIn(sub: string, client = new AuthClient()) {
  const location = await comeBack(client, await walk(await begin(client), sub))
  const session = await readSessionFrom(client.cookies.get(sessionCookie))
  return { client, location, session }
}

describe('signing in through a provider', () => {
  it('opens the page asked for, with the role of the claim, in a session like any other', async () => {
    const { location, session, client } = await signIn('ann')
    expect(location).toBe(`${testOrigin}/payments`)
    expect(session).toMatchObject({ email: 'ann@example.com', role: 'support' })
    // Provider tokens are not stored unless they are sent upstream, and never in a cookie.
    expect(await store.db.select().from(providerTokens)).toEqual([])
    const tokens = provider.given.flatMap(({ access_token: a, id_token: i }) => [String(a), String(i)])
    expect(client.setCookies.filter((line) => tokens.some((token) => line.includes(token)))).toEqual([])
    await client.signOut()
    expect(await readSessionFrom(client.cookies.get(sessionCookie))).toBeNull()
  })

  it('counts as a recent proof only if it is recent at the provider, which must say so', async () => {
    expect(new URL(await begin(new AuthClient())).searchParams.get('max_age')).toBe('43200')
    const { session: fresh } = await signIn('ann')
    if (!fresh) throw new Error('not signed in')
    await requireRecentPassword(fresh)
    provider.tamper = (body) => {
      const [, payload = ''] = String(body.id_token).split('.')
      const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
      body.id_token = provider.sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 })
    }
    const { session: remembered } = await signIn('ann')
    if (!remembered) throw new Error('not signed in')
    await expect(requireRecentPassword(remembered)).rejects.toMatchObject({ code: 'step-up' })
  })

  it('asks with PKCE, state and nonce', async () => {
    const asked = new URL(await begin(new AuthClient())).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(
      [asked.get('state'), asked.get('nonce'), asked.get('code_challenge')].every((one) => (one ?? '').length > 30),
    ).toBe(true)
    expect(asked.get('redirect_uri')).toBe(`${testOrigin}/api/auth/callback/oidc`)
  })

  it('reads the role again each time, and takes it away where the claim is gone', async () => {
    const first = await signIn('ann')
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, roles: ['viewer'] })
    expect((await signIn('ann')).session?.role).toBe('viewer')
    expect(await readSessionFrom(first.client.cookies.get(sessionCookie))).toMatchObject({ role: 'viewer' })
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, roles: [] })
    const refused = await signIn('ann')
    expect([refused.location, refused.session]).toEqual([
      `${testOrigin}/sign-in?error=NoRole&callbackUrl=%2Fpayments`,
      null,
    ])
    expect(await readSessionFrom(first.client.cookies.get(sessionCookie))).toBeNull()
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, roles: ['support'] })
  })

  it('tells each merchant the role there, and not where else somebody works', async () => {
    await store.db.insert(connections).values([
      { connectionId: 'm-north', name: 'North' },
      { connectionId: 'm-west', name: 'West' },
    ])
    provider.people.set('bea', { email: 'bea@example.com', email_verified: true, roles: ['viewer', 'admin:m-north'] })
    const arrive = async (client = new AuthClient()) => comeBack(client, await walk(await begin(client), 'bea'))
    await arrive()
    const [bea] = await store.db.select().from(users).where(eq(users.email, 'bea@example.com'))
    await store.db.insert(memberships).values({ connectionId: 'm-west', userId: bea?.id ?? '', role: 'support' })
    await arrive()
    const rows = (
      await store.db.select().from(activity).where(eq(activity.actor, 'bea@example.com')).orderBy(activity.sequence)
    ).slice(-3)
    const told = rows.map(({ connectionId, details }) => [connectionId, Object(details).role])
    expect(told).toEqual([
      [defaultConnectionId, 'viewer'],
      ['m-north', 'admin'],
      ['m-west', undefined],
    ])
    const others = rows.filter(({ connectionId }) => connectionId !== 'm-north')
    expect(JSON.stringify(others.map(({ details }) => details))).not.toContain('m-north')
  })

  it('tells each merchant whose role the provider took away or changed, and no removed one', async () => {
    await store.db.insert(connections).values([
      { connectionId: 'm-left', name: 'Left' },
      { connectionId: 'm-gone', name: 'Gone' },
    ])
    const arrive = async (roles: string[]) => {
      provider.people.set('cat', { email: 'cat@example.com', email_verified: true, roles })
      const client = new AuthClient()
      return comeBack(client, await walk(await begin(client), 'cat'))
    }
    await arrive(['admin', 'admin:m-left', 'viewer:m-gone'])
    await store.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, 'm-gone'))
    const find = (email: string) => store.db.select({ id: users.id }).from(users).where(eq(users.email, email))
    const [[ann], [cat]] = [await find('ann@example.com'), await find('cat@example.com')]
    const asked = { requestedBy: cat?.id ?? '', expiresAt: new Date() }
    await store.db.insert(factorResets).values([
      { ...asked, userId: ann?.id ?? '', connectionId: defaultConnectionId },
      { ...asked, userId: cat?.id ?? '', connectionId: 'm-left' },
    ])
    await arrive(['viewer'])
    // Who is no admin any more has asked for no reset of a factor.
    expect(await store.db.$count(factorResets)).toBe(0)
    await arrive([])
    const rows = await store.db.select().from(activity).where(eq(activity.objectId, 'cat@example.com'))
    const told = rows.map(({ connectionId, actor, action, details }) => [connectionId, actor, action, details])
    const by = { by: 'provider' }
    expect(told).toEqual([
      ['default', 'desk', 'user.role-changed', expect.objectContaining({ ...by, from: 'admin', to: 'viewer' })],
      ['m-left', 'desk', 'user.removed', expect.objectContaining({ ...by, role: 'admin' })],
      ['default', 'desk', 'user.removed', expect.objectContaining({ ...by, role: 'viewer' })],
    ])
  })

  it('makes no account of somebody whose roles are of no merchant that there is', async () => {
    provider.people.set('dan', { email: 'dan@example.com', email_verified: true, roles: ['admin:m-nowhere'] })
    const client = new AuthClient()
    expect(await comeBack(client, await walk(await begin(client), 'dan'))).toContain('error=NoRole')
    expect(await store.db.$count(users, eq(users.email, 'dan@example.com'))).toBe(0)
  })

  it('lets nobody in without a role, and makes no account of them', async () => {
    const before = await store.db.$count(users)
    const { location, session } = await signIn('nobody')
    expect([location, session]).toEqual([`${testOrigin}/sign-in?error=NoRole&callbackUrl=%2Fpayments`, null])
    expect(await store.db.$count(users)).toBe(before)
    await flushRefusedSignIns()
    const [entry] = await store.db.select().from(activity).where(eq(activity.action, 'session.refused'))
    expect(entry?.details).toMatchObject({ why: 'NoRole' })
  })

  it('takes no account over by its e-mail, verified or not', async () => {
    const boss = { email: 'boss@example.com', password: 'moss-covered lantern', role: 'admin' as const }
    const bossId = await createUser(store.db, { ...boss, connectionId: defaultConnectionId })
    for (const sub of ['mallory', 'eve']) {
      const { session } = await signIn(sub)
      expect(session).toMatchObject({ role: 'viewer' })
      expect([session?.userId === bossId, session?.email]).toEqual([
        false,
        `${sub} at ${new URL(provider.issuer).host}`,
      ])
    }
    const [kept] = await store.db.select().from(memberships).where(eq(memberships.userId, bossId))
    expect(kept?.role).toBe('admin')
    expect(await store.db.select().from(identities).where(eq(identities.userId, bossId))).toEqual([])
  })

  it('lets nobody in whose account is disabled here', async () => {
    const { session } = await signIn('ann')
    const own = eq(users.id, session?.userId ?? '')
    await store.db.update(users).set({ disabledAt: new Date() }).where(own)
    expect((await signIn('ann')).location).toBe(`${testOrigin}/sign-in?error=Disabled&callbackUrl=%2Fpayments`)
    await store.db.update(users).set({ disabledAt: null }).where(own)
  })
})

it('whoever cancels at the provider is led back to where the sign-in began, and told so', async () => {
  const client = new AuthClient()
  const state = new URL(await begin(client)).searchParams.get('state') ?? ''
  const back = new URL(`${testOrigin}/api/auth/callback/oidc?${new URLSearchParams({ error: 'access_denied', state })}`)
  expect(await comeBack(client, back)).toBe(`${testOrigin}/sign-in?error=AccessDenied&callbackUrl=%2Fpayments`)
  expect(await readSessionFrom(client.cookies.get(sessionCookie))).toBeNull()
})

it('whoever comes back while the store is away is led to the sign-in page, and it is logged', async () => {
  const client = new AuthClient()
  const back = await walk(await begin(client), 'ann')
  const before = globalThis.debitdeskStore
  const away = Promise.reject<OpenDatabase>(new Error('connection refused'))
  away.catch(() => undefined)
  globalThis.debitdeskStore = away
  const write = vi.spyOn(process.stdout, 'write').mockClear()
  const location = await comeBack(client, back)
  globalThis.debitdeskStore = before
  expect(location).toBe(`${testOrigin}/sign-in?error=Unavailable&callbackUrl=%2Fpayments`)
  expect(write.mock.calls.join('\n')).toMatch(/"failed","code":"store-unavailable","method":"GET"/u)
})

describe('what is swapped, replayed or forged is refused (SE-19)', () => {
  const refused = { isTold: true, session: null }
  async function tryBack(client: AuthClient, back: URL) {
    const location = await comeBack(client, back)
    const session = await readSessionFrom(client.cookies.get(sessionCookie))
    return { isTold: /\/(?:sign-in|api\/auth\/error)\?(?:.*&)?error=/u.test(location), session }
  }

  it.each(['state', 'nonce', 'pkce'])('the %s of another sign-in', async (name) => {
    const [client, other] = [new AuthClient(), new AuthClient()]
    const back = await walk(await begin(client), 'ann')
    await begin(other)
    const cookie = `next-auth.${name}`
    expect(other.cookies.get(cookie)).toBeTruthy()
    client.cookies.set(cookie, other.cookies.get(cookie) ?? '')
    expect(await tryBack(client, back)).toEqual(refused)
  })

  it.each(['state', 'nonce', 'pkce'])('a sign-in without its %s', async (name) => {
    const client = new AuthClient()
    const back = await walk(await begin(client), 'ann')
    client.cookies.delete(`next-auth.${name}`)
    expect(await tryBack(client, back)).toEqual(refused)
  })

  it('one cookie in the place of another', async () => {
    const client = new AuthClient()
    const back = await walk(await begin(client), 'ann')
    client.cookies.set('next-auth.nonce', client.cookies.get('next-auth.state') ?? '')
    expect(await tryBack(client, back)).toEqual(refused)
  })

  it('a code in the browser of somebody else, and one that was used', async () => {
    const [client, victim] = [new AuthClient(), new AuthClient()]
    const back = await walk(await begin(client), 'ann')
    await begin(victim)
    expect(await tryBack(victim, back)).toEqual(refused)
    const again = new Map(client.cookies)
    expect(await comeBack(client, back)).toBe(`${testOrigin}/payments`)
    const replayer = new AuthClient()
    for (const [name, value] of again) replayer.cookies.set(name, value)
    expect(await tryBack(replayer, back)).toEqual(refused)
  })

  it('an answer that names another issuer, or says something twice', async () => {
    const client = new AuthClient()
    const back = await walk(await begin(client), 'ann')
    const other = new URL(back)
    other.searchParams.set('iss', stranger.issuer)
    expect(await tryBack(client, other)).toEqual(refused)
    const twice = new AuthClient()
    const doubled = await walk(await begin(twice), 'ann')
    doubled.searchParams.append('code', 'another')
    expect(await tryBack(twice, doubled)).toEqual(refused)
  })

  const hour = 3_600
  const now = Math.floor(Date.now() / 1_000)
  it.each<[what: string, change: object | null]>([
    ['for another client', { aud: 'another' }],
    ['for several, none of which said that it asked', { aud: ['desk', 'another'], azp: 'another' }],
    ['of another issuer', { iss: 'http://127.0.0.1:9' }],
    ['of another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['that has ended', { exp: now - hour, iat: now - 2 * hour }],
    ['that nobody has signed', null],
  ])('an id token %s', async (_, change) => {
    const visitor = new AuthClient()
    const address = await begin(visitor)
    const nonce = new URL(address).searchParams.get('nonce')
    const back = await walk(address, 'ann')
    const good = { iss: provider.issuer, aud: provider.clientId, sub: 'ann', nonce, iat: now, exp: now + hour }
    const token = provider.sign({ ...good, ...change })
    provider.tamper = (body) => {
      body.id_token = change === null ? token.replace(/[^.]+$/u, '') : token
    }
    expect(await tryBack(visitor, back)).toEqual(refused)
  })

  it('while the same token, unchanged, signs in: it is the change that is refused', async () => {
    const visitor = new AuthClient()
    const address = await begin(visitor)
    const nonce = new URL(address).searchParams.get('nonce')
    const back = await walk(address, 'ann')
    const good = { iss: provider.issuer, aud: provider.clientId, sub: 'ann', nonce, iat: now, exp: now + hour }
    provider.tamper = (body) => {
      body.id_token = provider.sign(good)
    }
    expect(await comeBack(visitor, back)).toBe(`${testOrigin}/payments`)
  })

  it('a provider that says no', async () => {
    const client = new AuthClient()
    await begin(client)
    expect(await tryBack(client, new URL(`${testOrigin}/api/auth/callback/oidc?error=access_denied`))).toEqual(refused)
  })
})
