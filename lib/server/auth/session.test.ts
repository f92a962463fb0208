import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { encode } from 'next-auth/jwt'
import { describe, expect, it } from 'vitest'
import { readSessionFrom } from './session'
import { memberships, sessions } from '../store/schema'
import { AuthClient, AuthDesk, sessionCookie, supporter, testSecret } from '../testing/auth-fixture'
import { disableUser } from './users'

const { email, password } = supporter
const desk = new AuthDesk()

describe('the session cookie', () => {
  it('is HttpOnly, Lax, for the whole host only, short-lived and small', async () => {
    const client = await desk.signIn()
    expect(client.setCookies.length).toBeGreaterThan(1)
    for (const line of client.setCookies) {
      expect(line).toMatch(/; HttpOnly/u)
      expect(line).toMatch(/; SameSite=Lax/u)
      expect(line).toMatch(/; Path=\//u)
      expect(line).not.toMatch(/Domain/u)
      expect(line.length).toBeLessThan(1_000)
    }
    const session = client.setCookies.find((line) => line.startsWith(sessionCookie)) ?? ''
    const expires = Date.parse(/Expires=([^;]+)/u.exec(session)?.[1] ?? '')
    expect(expires).toBeGreaterThan(Date.now() + 11 * 3_600_000)
    expect(expires).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000 + 1_000)
  })

  it('signs nobody in when it is tampered with, cut, too long, sealed otherwise or names nobody', async () => {
    const token = (await desk.signIn()).cookies.get(sessionCookie) ?? ''
    const claims = { sub: desk.userId, sid: '6f1f2b0e-58cb-4d5b-9d5e-0a4b3c2d1e0f' }
    const forged = [
      `${token.slice(0, -4)}AAAA`,
      token.slice(0, 40),
      `${token}${'A'.repeat(65_536)}`,
      await encode({ token: claims, secret: 'another secret that is long enough too' }),
      await encode({ token: claims, secret: testSecret }),
      await encode({ token: { sub: desk.userId }, secret: testSecret }),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
      '',
      '....',
      '%E0%A4%A',
    ]
    expect(await readSessionFrom(token)).not.toBeNull()
    for (const one of forged) expect(await readSessionFrom(one)).toBeNull()
  })

  it('signs nobody in, and breaks nothing, however it was changed on the way (SE-09)', async () => {
    const token = (await desk.signIn()).cookies.get(sessionCookie) ?? ''
    const parts = token.split('.')
    const letter = fc.constantFrom('A', 'z', '0', '-', '.', '%', '=', ';', ' ', '\0', 'é', '\ud800')
    const at = fc.nat(token.length - 1)
    const changed = fc.oneof(
      fc.tuple(at, letter).map(([place, one]) => `${token.slice(0, place)}${one}${token.slice(place + 1)}`),
      fc.tuple(at, letter).map(([place, one]) => `${token.slice(0, place)}${one}${token.slice(place)}`),
      fc.tuple(at, at).map(([from, to]) => token.slice(0, from) + token.slice(to)),
      fc.shuffledSubarray(parts).map((some) => some.join('.')),
      fc
        .tuple(fc.nat(parts.length - 1), fc.base64String({ maxLength: 200 }))
        .map(([place, part]) => parts.with(place, part).join('.')),
      fc.json().map((header) => parts.with(0, Buffer.from(header).toString('base64url')).join('.')),
      fc.string({ unit: 'binary', maxLength: 600 }),
    )
    // The last letter of a part has unused bits: such a token is the same token.
    const bytes = (one: string) =>
      one
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join('.')
    await fc.assert(
      fc.asyncProperty(changed, async (one) => {
        fc.pre(bytes(one) !== bytes(token))
        expect(await readSessionFrom(one)).toBeNull()
      }),
      { numRuns: 10_000 },
    )
    expect(await readSessionFrom(token)).not.toBeNull()
  })

  it('is cleared, without an error, when it does not hold', async () => {
    const client = new AuthClient()
    client.cookies.set(sessionCookie, 'tampered')
    const response = await client.send('GET', 'session')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({})
    expect(client.cookies.has(sessionCookie)).toBe(false)
  })

  it('is the only way in: a bearer token is not read', async () => {
    const token = (await desk.signIn()).cookies.get(sessionCookie) ?? ''
    for (const authorization of [`Bearer ${token}`, 'Bearer %E0%A4%A']) {
      const response = await new AuthClient().send('GET', 'session', { headers: { authorization } })
      expect(await response.json()).toEqual({})
    }
  })
})

describe('a session', () => {
  it('ends with its user’s account, from the next request on', async () => {
    const id = await desk.addUser('leaver@example.com', 'admin')
    const client = new AuthClient()
    await client.signIn('leaver@example.com', password)
    expect(await desk.readSession(client)).toMatchObject({ role: 'admin' })
    await disableUser(desk.db, id, new Date())
    expect(await desk.readSession(client)).toBeNull()
    await desk.db.update(sessions).set({ endedAt: null }).where(eq(sessions.userId, id))
    expect(await desk.readSession(client)).toBeNull()
  })

  it('has the role that the membership has now, and none without one or with an unknown one', async () => {
    const id = await desk.addUser('mover@example.com', 'admin')
    const client = new AuthClient()
    await client.signIn('mover@example.com', password)
    await desk.db.update(memberships).set({ role: 'viewer' }).where(eq(memberships.userId, id))
    expect(await desk.readSession(client)).toMatchObject({ role: 'viewer' })
    await desk.db.update(memberships).set({ role: 'owner' }).where(eq(memberships.userId, id))
    expect(await desk.readSession(client)).toBeNull()
  })

  it('ignores what a client sends to be updated', async () => {
    const client = await desk.signIn()
    const response = await client.post(
      'session',
      { data: { role: 'admin', user: { role: 'admin' }, sub: 'x' } },
      { type: 'application/json' },
    )
    expect((await response.json()).user).toEqual({ email, role: 'support' })
    expect(await desk.readSession(client)).toMatchObject({ role: 'support', userId: desk.userId })
  })

  it('ends after 30 idle minutes and after 12 hours whatever happens', async () => {
    const client = await desk.signIn()
    const token = client.cookies.get(sessionCookie)
    const start = Date.now()
    const after = (minutes: number) => readSessionFrom(token, new Date(start + minutes * 60_000))
    expect(await after(29)).not.toBeNull()
    expect(await after(60)).toBeNull()
    for (let minutes = 58; minutes < 720; minutes += 29) expect(await after(minutes)).not.toBeNull()
    expect(await after(721)).toBeNull()
  })

  it('is not known while the store fails, which is told as what it is', async () => {
    const token = (await desk.signIn()).cookies.get(sessionCookie)
    await desk.db.execute(sql`alter table sessions rename to sessions_away`)
    await expect(readSessionFrom(token)).rejects.toMatchObject({ code: 'store-unavailable', status: 503 })
    await desk.db.execute(sql`alter table sessions_away rename to sessions`)
    expect(await readSessionFrom(token)).not.toBeNull()
  })

  it('is noted as seen at most once a minute', async () => {
    const client = await desk.signIn()
    const token = client.cookies.get(sessionCookie)
    const id = (await desk.readSession(client))?.sessionId ?? ''
    const seen = async () =>
      (await desk.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.lastSeenAt.getTime() ?? 0
    const first = await seen()
    await readSessionFrom(token, new Date(first + 50_000))
    expect(await seen()).toBe(first)
    await readSessionFrom(token, new Date(first + 70_000))
    expect(await seen()).toBe(first + 70_000)
  })
})
