import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { encode } from 'next-auth/jwt'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/open-database'
import { readSessionFrom } from './session'
import { defaultConnectionId } from './store/default-connection'
import { activity, attempts, memberships, sessions, users } from './store/schema'
import { AuthClient, testOrigin } from './testing/auth-client'
import { useMemoryStore } from './testing/memory-store'
import { createUser, disableUser } from './users'

const secret = 'a secret for tests that is long enough'
const email = 'support@example.com'
const password = 'moss-covered lantern'
const cookieName = 'next-auth.session-token'

let store: OpenDatabase
let userId: string

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = secret
  process.env.NEXTAUTH_URL = testOrigin
  store = await useMemoryStore()
  userId = await createUser(store.db, { email, password, role: 'support', connectionId: defaultConnectionId })
})
beforeEach(async () => {
  await store.db.delete(attempts)
})
afterAll(() => store.close())

async function signedIn(): Promise<AuthClient> {
  const client = new AuthClient()
  const response = await client.signIn(email, password)
  expect(response.status).toBe(200)
  return client
}

function readSession(client: AuthClient) {
  return readSessionFrom(client.cookies.get(cookieName))
}

describe('signing in', () => {
  it('answers the way back and a session with the role of the store', async () => {
    const client = new AuthClient()
    const response = await client.signIn(email, password, '/payments?state=Pending')
    expect(await response.json()).toEqual({ url: `${testOrigin}/payments?state=Pending` })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await readSession(client)).toMatchObject({
      email,
      role: 'support',
      userId,
      scope: { connectionId: 'default' },
    })
    const session = await (await client.send('GET', 'session')).json()
    expect(session).toMatchObject({ user: { email, role: 'support' } })
    expect(Date.parse(session.expires)).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000)
  })

  it('takes the e-mail in any case and width, the password exactly', async () => {
    expect((await new AuthClient().signIn(' SUPPORT＠Example.com. ', password)).status).toBe(200)
    expect((await new AuthClient().signIn(email, `${password} `)).status).toBe(401)
  })

  it('makes a new session each time and ends the one it replaces', async () => {
    const client = await signedIn()
    const before = client.cookies.get(cookieName)
    await client.signIn(email, password)
    expect(client.cookies.get(cookieName)).not.toBe(before)
    expect(await readSessionFrom(before)).toBeNull()
    expect(await readSession(client)).not.toBeNull()
  })

  it('refuses a wrong password, an unknown account and a disabled one with the same answer', async () => {
    const gone = await createUser(store.db, {
      email: 'gone@example.com',
      password,
      role: 'admin',
      connectionId: defaultConnectionId,
    })
    await disableUser(store.db, gone, new Date())
    const answers = []
    for (const name of [email, 'nobody@example.com', 'gone@example.com', 'no address']) {
      const client = new AuthClient()
      const response = await client.signIn(name, 'not the password')
      answers.push({ status: response.status, body: await response.text(), names: [...client.cookies.keys()] })
    }
    expect(answers[0]).toMatchObject({ status: 401, names: ['next-auth.csrf-token', 'next-auth.callback-url'] })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('refuses the right password of an account without a role at this merchant', async () => {
    const id = await createUser(store.db, {
      email: 'stray@example.com',
      password,
      role: 'viewer',
      connectionId: defaultConnectionId,
    })
    await store.db.delete(memberships).where(eq(memberships.userId, id))
    expect((await new AuthClient().signIn('stray@example.com', password)).status).toBe(401)
  })

  it('hashes the password again when the parameters have moved on', async () => {
    const id = await createUser(store.db, {
      email: 'early@example.com',
      password,
      role: 'viewer',
      connectionId: defaultConnectionId,
    })
    const read = async () => (await store.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash
    await store.db
      .update(users)
      .set({ passwordHash: await hash(password, { memoryCost: 8_192 }) })
      .where(eq(users.id, id))
    expect((await new AuthClient().signIn('early@example.com', 'wrong')).status).toBe(401)
    expect(await read()).toContain('m=8192')
    expect((await new AuthClient().signIn('early@example.com', password)).status).toBe(200)
    expect(await read()).toContain('m=19456')
    expect((await new AuthClient().signIn('early@example.com', password)).status).toBe(200)
  })

  it('refuses a post without the csrf token, and with another visitor’s', async () => {
    const client = new AuthClient()
    const bare = await client.send('POST', 'callback/credentials', { body: { email, password, json: 'true' } })
    expect((await bare.json()).url).toContain('/signin?csrf=true')
    const { csrfToken } = await (await new AuthClient().send('GET', 'csrf')).json()
    await client.send('POST', 'callback/credentials', { body: { email, password, csrfToken, json: 'true' } })
    expect(client.cookies.has(cookieName)).toBe(false)
  })

  it.each<Record<string, string>>([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:3001' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('refuses a post from another origin: %o', async (headers) => {
    const client = new AuthClient()
    const response = await client.post('callback/credentials', { email, password }, { headers })
    expect(response.status).toBe(403)
    expect(client.cookies.has(cookieName)).toBe(false)
  })

  it('accepts the other names of a loopback desk, as a browser sends them', async () => {
    const headers = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    expect((await new AuthClient().post('callback/credentials', { email, password }, { headers })).status).toBe(200)
  })

  it('refuses a megabyte before hashing it, and forms it does not know', async () => {
    const long = await new AuthClient().signIn(email, 'x'.repeat(1_000_000))
    expect(long.status).toBe(413)
    expect(long.headers.get('content-type')).toContain('application/problem+json')
    const odd = await new AuthClient().post('callback/credentials', {}, { type: 'text/plain' })
    expect(odd.status).toBe(415)
  })

  it('reads JSON and leaves out what is not text', async () => {
    const type = 'application/json'
    const good = await new AuthClient().post(
      'callback/credentials',
      { email, password, callbackUrl: ['/payments'] },
      { type },
    )
    expect(await good.json()).toEqual({ url: `${testOrigin}/` })
    const bad = await new AuthClient().post('callback/credentials', { email: { $ne: '' }, password: ['x'] }, { type })
    expect(bad.status).toBe(401)
  })
})

describe('the session cookie', () => {
  it('is HttpOnly, Lax, for the whole host only, short-lived and small', async () => {
    const client = await signedIn()
    expect(client.setCookies.length).toBeGreaterThan(1)
    for (const line of client.setCookies) {
      expect(line).toMatch(/; HttpOnly/u)
      expect(line).toMatch(/; SameSite=Lax/u)
      expect(line).toMatch(/; Path=\//u)
      expect(line).not.toMatch(/Domain/u)
      expect(line.length).toBeLessThan(1_000)
    }
    const session = client.setCookies.find((line) => line.startsWith(cookieName)) ?? ''
    const expires = Date.parse(/Expires=([^;]+)/u.exec(session)?.[1] ?? '')
    expect(expires).toBeGreaterThan(Date.now() + 11 * 3_600_000)
    expect(expires).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000 + 1_000)
  })

  it('signs nobody in when it is tampered with, cut, too long, sealed otherwise or names nobody', async () => {
    const token = (await signedIn()).cookies.get(cookieName) ?? ''
    const claims = { sub: userId, sid: '6f1f2b0e-58cb-4d5b-9d5e-0a4b3c2d1e0f' }
    const forged = [
      `${token.slice(0, -4)}AAAA`,
      token.slice(0, 40),
      `${token}${'A'.repeat(65_536)}`,
      await encode({ token: claims, secret: 'another secret that is long enough too' }),
      await encode({ token: claims, secret }),
      await encode({ token: { sub: userId }, secret }),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
      '',
      '....',
      '%E0%A4%A',
    ]
    expect(await readSessionFrom(token)).not.toBeNull()
    for (const one of forged) expect(await readSessionFrom(one)).toBeNull()
  })

  it('is cleared, without an error, when it does not hold', async () => {
    const client = new AuthClient()
    client.cookies.set(cookieName, 'tampered')
    const response = await client.send('GET', 'session')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({})
    expect(client.cookies.has(cookieName)).toBe(false)
  })

  it('is the only way in: a bearer token is not read', async () => {
    const token = (await signedIn()).cookies.get(cookieName) ?? ''
    for (const authorization of [`Bearer ${token}`, 'Bearer %E0%A4%A']) {
      const response = await new AuthClient().send('GET', 'session', { headers: { authorization } })
      expect(await response.json()).toEqual({})
    }
  })
})

describe('signing out', () => {
  it('ends the row at once, so that a copied cookie is worth nothing', async () => {
    const client = await signedIn()
    const copy = client.cookies.get(cookieName)
    expect(await readSessionFrom(copy)).not.toBeNull()
    expect((await client.signOut()).status).toBe(200)
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await readSessionFrom(copy)).toBeNull()
    const thief = new AuthClient()
    thief.cookies.set(cookieName, copy ?? '')
    expect(await (await thief.send('GET', 'session')).json()).toEqual({})
  })

  it('has no effect by GET, without the token or from another origin', async () => {
    const client = await signedIn()
    expect((await client.send('GET', 'signout')).headers.get('location')).toBe('/')
    await client.send('POST', 'signout', { body: { json: 'true' } })
    expect((await client.post('signout', {}, { headers: { origin: 'https://evil.test' } })).status).toBe(403)
    expect(await readSession(client)).not.toBeNull()
  })
})

describe('the activity log', () => {
  it('tells of signing in, of refusals and of signing out, and repeats no password', async () => {
    const before = await store.db.$count(activity)
    const client = await signedIn()
    await new AuthClient('192.0.2.99').signIn(email, 'canary guess')
    await new AuthClient().signIn('canary typed into the wrong field', 'x')
    await client.signOut()
    await client.signOut()
    const rows = await store.db.select().from(activity).orderBy(activity.sequence).offset(before)
    expect(rows.map(({ actor, action, details }) => ({ actor, action, details }))).toEqual([
      { actor: email, action: 'session.started', details: { from: '192.0.2.1' } },
      { actor: email, action: 'session.refused', details: { from: '192.0.2.99' } },
      { actor: 'unknown', action: 'session.refused', details: { from: '192.0.2.1' } },
      { actor: email, action: 'session.ended', details: {} },
    ])
    expect(JSON.stringify(rows)).not.toContain('canary')
    expect(rows[3]?.objectId).toBe(rows[0]?.objectId)
  })
})

describe('a session', () => {
  it('ends with its user’s account, from the next request on', async () => {
    const id = await createUser(store.db, {
      email: 'leaver@example.com',
      password,
      role: 'admin',
      connectionId: defaultConnectionId,
    })
    const client = new AuthClient()
    await client.signIn('leaver@example.com', password)
    expect(await readSession(client)).toMatchObject({ role: 'admin' })
    await disableUser(store.db, id, new Date())
    expect(await readSession(client)).toBeNull()
    await store.db.update(sessions).set({ endedAt: null }).where(eq(sessions.userId, id))
    expect(await readSession(client)).toBeNull()
  })

  it('has the role that the membership has now, and none without one or with an unknown one', async () => {
    const id = await createUser(store.db, {
      email: 'mover@example.com',
      password,
      role: 'admin',
      connectionId: defaultConnectionId,
    })
    const client = new AuthClient()
    await client.signIn('mover@example.com', password)
    await store.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, id))
    expect(await readSession(client)).toMatchObject({ role: 'viewer' })
    await store.db.update(memberships).set({ role: 'owner' }).where(eq(memberships.userId, id))
    expect(await readSession(client)).toBeNull()
  })

  it('ignores what a client sends to be updated', async () => {
    const client = await signedIn()
    const response = await client.post(
      'session',
      { data: { role: 'admin', user: { role: 'admin' }, sub: 'x' } },
      { type: 'application/json' },
    )
    expect((await response.json()).user).toEqual({ email, role: 'support' })
    expect(await readSession(client)).toMatchObject({ role: 'support', userId })
  })

  it('ends after 30 idle minutes and after 12 hours whatever happens', async () => {
    const client = await signedIn()
    const token = client.cookies.get(cookieName)
    const start = Date.now()
    const after = (minutes: number) => readSessionFrom(token, new Date(start + minutes * 60_000))
    expect(await after(29)).not.toBeNull()
    expect(await after(60)).toBeNull()
    for (let minutes = 58; minutes < 720; minutes += 29) expect(await after(minutes)).not.toBeNull()
    expect(await after(721)).toBeNull()
  })

  it('is noted as seen at most once a minute', async () => {
    const client = await signedIn()
    const token = client.cookies.get(cookieName)
    const id = (await readSession(client))?.sessionId ?? ''
    const seen = async () =>
      (await store.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.lastSeenAt.getTime() ?? 0
    const first = await seen()
    await readSessionFrom(token, new Date(first + 50_000))
    expect(await seen()).toBe(first)
    await readSessionFrom(token, new Date(first + 70_000))
    expect(await seen()).toBe(first + 70_000)
  })
})

describe('while the store is away', () => {
  it('signing out says so and keeps the cookie, and so does asking who one is', async () => {
    const client = await signedIn()
    const { csrfToken } = await (await client.send('GET', 'csrf')).json()
    const before = globalThis.debitdeskStore
    const away = Promise.reject<OpenDatabase>(new Error('canary: connection refused'))
    away.catch(() => undefined)
    globalThis.debitdeskStore = away
    const answers = [
      await client.send('POST', 'signout', { body: { csrfToken, json: 'true' } }),
      await client.send('GET', 'session'),
      await client.send('POST', 'callback/credentials', { body: { email, password, csrfToken, json: 'true' } }),
    ]
    globalThis.debitdeskStore = before
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(await answer.text()).not.toContain('canary')
    }
    expect(await readSession(client)).not.toBeNull()
  })
})

describe('guessing', () => {
  it('is refused after ten wrong passwords, also with the right one, and known or not', async () => {
    for (const name of [email, 'nobody@example.com']) {
      for (let guess = 0; guess < 10; guess += 1)
        expect((await new AuthClient(`198.51.100.${guess}`).signIn(name, `wrong ${guess}`)).status).toBe(401)
      const refused = await new AuthClient('198.51.100.99').signIn(name, password)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
      expect((await refused.json()).type).toContain('too-many-attempts')
    }
  })

  it('of many passwords at the same moment checks ten', async () => {
    const guesses = Array.from({ length: 30 }, (_, guess) => new AuthClient().signIn(email, `wrong ${guess}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

describe('the other doors of next-auth', () => {
  it.each(['_log', 'callback/email', 'callback/oauth', 'verify-request', 'nothing', 'callback/credentials/more'])(
    '%s is shut',
    async (path) => {
      expect((await new AuthClient().post(path)).status).toBe(404)
    },
  )

  it('answers 405 with the methods that there are', async () => {
    const response = await new AuthClient().send('GET', 'callback/credentials')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('sends its own sign-in page to ours, whatever host the request claims', async () => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }
    const response = await new AuthClient().send('GET', 'signin?callbackUrl=/payments', { headers })
    expect(response.headers.get('location')).toBe(
      `/sign-in?callbackUrl=${encodeURIComponent(`${testOrigin}/payments`)}`,
    )
    const failed = await new AuthClient().post('callback/credentials', { email, password: 'wrong' }, { headers })
    expect((await failed.json()).url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/auth\/error/u)
  })
})
