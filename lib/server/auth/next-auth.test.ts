import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { decode } from 'next-auth/jwt'
import { describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { readSessionFrom } from './session'
import { getSettings } from '../runtime/settings'
import { memberships, sessions, users } from '../store/schema'
import { AuthClient, AuthDesk, sessionCookie, supporter, testOrigin } from '../testing/auth-fixture'
import { disableUser } from './users'

const { email, password } = supporter
const desk = new AuthDesk()

describe('signing in', () => {
  it('answers the way back and a session with the role of the store', async () => {
    const client = new AuthClient()
    const response = await client.signIn(email, password, '/payments?state=Pending')
    expect(await response.json()).toEqual({ url: `${testOrigin}/payments?state=Pending` })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await desk.readSession(client)).toMatchObject({
      email,
      role: 'support',
      userId: desk.userId,
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
    const client = await desk.signIn()
    const before = client.cookies.get(sessionCookie)
    await client.signIn(email, password)
    expect(client.cookies.get(sessionCookie)).not.toBe(before)
    expect(await readSessionFrom(before)).toBeNull()
    expect(await desk.readSession(client)).not.toBeNull()
  })

  it('refuses a wrong password, an unknown account and a disabled one with the same answer', async () => {
    const gone = await desk.addUser('gone@example.com', 'admin')
    await disableUser(desk.db, gone, new Date())
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
    const id = await desk.addUser('stray@example.com', 'viewer')
    await desk.db.delete(memberships).where(eq(memberships.userId, id))
    expect((await new AuthClient().signIn('stray@example.com', password)).status).toBe(401)
  })

  it('hashes the password again when the parameters have moved on', async () => {
    const id = await desk.addUser('early@example.com', 'viewer')
    const read = async () => (await desk.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash
    await desk.db
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
    expect(client.cookies.has(sessionCookie)).toBe(false)
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
    expect(client.cookies.has(sessionCookie)).toBe(false)
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

  it('answers reads of our own pages, and those that another site opens not', async () => {
    const client = await desk.signIn()
    const read = async (path: string, site: string | null) =>
      (await client.send('GET', path, { headers: site === null ? {} : { 'sec-fetch-site': site } })).status
    for (const path of ['session', 'csrf', 'providers']) {
      for (const site of ['same-origin', 'none', null]) expect(await read(path, site)).toBe(200)
      for (const site of ['cross-site', 'same-site']) expect(await read(path, site)).toBe(403)
    }
    // Where links and redirects lead.
    for (const path of ['signin', 'error', 'signout']) expect(await read(path, 'cross-site')).toBeLessThan(400)
    expect(await desk.readSession(client)).not.toBeNull()
  })

  it('keeps nobody signed in who only asks who they are', async () => {
    const client = await desk.signIn()
    const seenAt = new Date(Date.now() - 10 * 60_000)
    const own = eq(sessions.userId, desk.userId)
    await desk.db.update(sessions).set({ lastSeenAt: seenAt }).where(own)
    expect(await (await client.send('GET', 'session')).json()).toMatchObject({ user: { email } })
    const rows = await desk.db.select().from(sessions).where(own)
    expect(rows.every(({ lastSeenAt }) => lastSeenAt.getTime() === seenAt.getTime())).toBe(true)
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

describe('while the secret is rotated', () => {
  it('a form of a desk with the other secret in front signs in and out, and what it gets is made with the own one', async () => {
    const settings = getSettings()
    const before = { ...settings }
    const [one, two] = ['one secret for tests that is long enough', 'another secret for tests that is long enough']
    const set = (current: string, previous: string) =>
      Object.assign(settings, { NEXTAUTH_SECRET: current, NEXTAUTH_SECRET_PREVIOUS: previous })
    try {
      const client = new AuthClient()
      set(one, two)
      const { csrfToken } = await (await client.send('GET', 'csrf')).json()
      const fields = { csrfToken, json: 'true' }
      set(two, one)
      expect((await client.send('POST', 'callback/credentials', { body: { email, password, ...fields } })).status).toBe(
        200,
      )
      const session = client.cookies.get(sessionCookie) ?? ''
      expect(await decode({ token: session, secret: two })).not.toBeNull()
      await client.send('POST', 'signout', { body: fields })
      expect(await readSessionFrom(session)).toBeNull()
      // A cookie made with no secret of the desk still counts for nothing.
      set(`${one}!`, `${two}!`)
      const refused = await client.send('POST', 'signout', { body: fields })
      expect((await refused.json()).url).toContain('/signout?csrf=true')
    } finally {
      Object.assign(settings, { NEXTAUTH_SECRET_PREVIOUS: undefined, ...before })
    }
  })
})

describe('while the store is away', () => {
  it('signing out says so and keeps the cookie, and so does asking who one is', async () => {
    const client = await desk.signIn()
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
    expect(await desk.readSession(client)).not.toBeNull()
  })
})
