import { randomUUID } from 'node:crypto'
import { and, eq, inArray, not } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../runtime/app-error'
import type { Role } from '@/lib/api-contract/permission'
import { authenticators } from '../store/factor-schema'
import { connections, defaultConnectionId, sessions, users } from '../store/schema'
import { providerTokens } from '../store/auth-schema'
import { AuthClient, sessionCookie } from '../testing/auth-fixture'
import { SessionDesk } from '../testing/session-desk'
import { endOwnSessions } from './own-sessions'
import { readSessionFrom, type Session } from './session'
import { renewSessionId, startSession } from './sessions'
import { createUser, endSessionsOf } from './users'
import { findProviderTokens, renewTokens, whoIsPresent } from './provider-tokens'

const password = 'moss-covered lantern'

let desk: SessionDesk
let log = ''

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    log += String(text)
    return true
  })
  desk = await SessionDesk.start()
})
afterEach(() => {
  desk.provider.tamper = null
  desk.refused.clear()
  desk.service.requests.length = 0
})
afterAll(() => desk.close())

const bearers = () => desk.service.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''))
const list = (client: AuthClient) => desk.ask(client, '/api/service/Payments')
const countTokens = () => desk.provider.counts.get('token') ?? 0

async function findHeld(name: string) {
  const [user] = await desk.store.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, `${name}@example.com`))
  const held = await findProviderTokens(desk.store.db, { userId: user?.id ?? '' }, new Date())
  if (!held) throw new Error(`${name} has no tokens`)
  return held
}

describe('asked with the user’s own access token, the service', () => {
  it('hears each user with a token of their own, however many ask at once', async () => {
    const [ann, ben] = [await desk.signIn('ann'), await desk.signIn('ben')]
    const before = countTokens()
    // The renewed token is valid for long, so that later calls need no further renewal.
    desk.provider.tamper = (body) => void (body.expires_in = 3_600)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => list(index % 2 === 0 ? ann : ben)))
    answers.push(await list(ann), await list(ben))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    // One renewal each, for eleven callers.
    expect(countTokens() - before).toBe(2)
    expect(new Set(bearers()).size).toBe(2)
    expect(bearers().every((token) => desk.given().includes(token ?? ''))).toBe(true)
  })

  it('hears one token too where as many desks ask at once', async () => {
    await desk.signIn('ann')
    const held = await findHeld('ann')
    const before = countTokens()
    // Two desks only share the store: each caller has its own process memory.
    const renewals = Array.from({ length: 10 }, () => {
      globalThis.debitdeskRenewals = undefined
      return renewTokens(desk.store.db, held)
    })
    const tokens = new Set((await Promise.all(renewals)).map((renewed) => renewed?.access))
    expect(countTokens() - before).toBe(1)
    expect([...tokens]).toEqual([desk.given().at(-1)])
  })

  it('hears nobody by a sign-in that lacks its second factor', async () => {
    await desk.signIn('ann')
    const held = await findHeld('ann')
    const { db } = desk.store
    const own = eq(sessions.id, held.sessionId)
    const [{ userId } = { userId: '' }] = await db.select().from(sessions).where(own)
    const isHeard = async () => [
      await findProviderTokens(db, { sessionId: held.sessionId }, new Date()).then((found) => found !== null),
      (await whoIsPresent(db, [userId])).has(userId),
    ]
    const rule = (factorRoles: Role[]) => db.update(connections).set({ factorRoles })
    await db
      .update(sessions)
      .set({ endedAt: new Date() })
      .where(and(eq(sessions.userId, userId), not(own)))
    await rule(['viewer'])
    expect(await isHeard()).toEqual([true, true])
    await rule(['viewer', 'admin'])
    expect(await isHeard()).toEqual([false, false])
    await db.update(sessions).set({ factor: 'provider' }).where(own)
    expect(await isHeard()).toEqual([true, true])
    await rule([])
    await db.update(sessions).set({ factor: null }).where(own)
    const app = { id: randomUUID(), userId, kind: 'totp' as const, name: '', createdAt: new Date() }
    await db.insert(authenticators).values(app)
    expect(await isHeard()).toEqual([true, true])
    await db.update(authenticators).set({ confirmedAt: new Date() })
    expect(await isHeard()).toEqual([false, false])
    await db.delete(authenticators)
  })

  it('hears the same token where a sign-in goes on under a new id', async () => {
    await desk.signIn('ann')
    const held = await findHeld('ann')
    const { db } = desk.store
    const id = await db.transaction((tx) => renewSessionId(tx, held.sessionId, 'totp', new Date()))
    expect(await findProviderTokens(db, { sessionId: id }, new Date())).toEqual({ ...held, sessionId: id })
    expect(await findProviderTokens(db, { sessionId: held.sessionId }, new Date())).toBeNull()
  })

  it('is asked at once again when a provider that was away is back', async () => {
    const ann = await desk.signIn('ann')
    const { issuer } = desk.provider
    // As when the discovery document cannot be fetched.
    const told = Promise.reject(new AppError('upstream-unreachable', { written: false }))
    told.catch(() => undefined)
    globalThis.debitdeskOpenId = { issuer, until: Date.now() + 600_000, document: told }
    expect((await list(ann)).status).toBe(502)
    globalThis.debitdeskOpenId = undefined
    const [row] = await desk.store.db
      .select({ renewingUntil: providerTokens.renewingUntil })
      .from(providerTokens)
      .where(eq(providerTokens.sessionId, (await findHeld('ann')).sessionId))
    expect(row).toEqual({ renewingUntil: null })
    expect((await list(ann)).status).toBe(200)
  })

  it('is asked with tokens that rotate, time after time', async () => {
    const ann = await desk.signIn('ann')
    for (let times = 0; times < 4; times += 1) expect((await list(ann)).status).toBe(200)
    expect(new Set(bearers()).size).toBe(4)
  })

  it('may refuse a token once: another is fetched and the request repeated', async () => {
    const ann = await desk.signIn('ann')
    await list(ann)
    // Renewed at each use: refuses the next token as well as all before.
    desk.provider.tamper = (body) => {
      desk.refused.add(String(body.access_token))
      desk.provider.tamper = null
    }
    desk.service.requests.length = 0
    expect((await list(ann)).status).toBe(200)
    expect(bearers()).toHaveLength(2)
  })

  it('has a token that it refuses again replaced no more, whatever else it accepts it for', async () => {
    desk.provider.tamper = (body) => void (body.expires_in = 3_600)
    const ann = await desk.signIn('ann')
    await list(ann)
    desk.provider.tamper = (body) => {
      body.expires_in = 3_600
      desk.refused.add(String(body.access_token))
    }
    for (const token of bearers()) desk.refused.add(token ?? '')
    const before = countTokens()
    expect((await list(ann)).status).toBe(502)
    const refused = [...desk.refused]
    desk.refused.clear()
    expect((await list(ann)).status).toBe(200)
    for (const token of refused) desk.refused.add(token)
    expect((await list(ann)).status).toBe(502)
    expect(countTokens() - before).toBe(1)
  })

  it('may refuse a token that cannot be renewed, and is asked with it again', async () => {
    desk.provider.tamper = (body) => {
      body.expires_in = 3_600
      delete body.refresh_token
    }
    const ann = await desk.signIn('ann')
    await list(ann)
    for (const token of bearers()) desk.refused.add(token ?? '')
    expect((await list(ann)).status).toBe(502)
    desk.refused.clear()
    expect((await list(ann)).status).toBe(200)
  })

  it('may refuse a token that cannot be renewed for now, and is asked with it again', async () => {
    desk.provider.tamper = (body) => void (body.expires_in = 3_600)
    const ann = await desk.signIn('ann')
    await list(ann)
    for (const token of bearers()) desk.refused.add(token ?? '')
    desk.provider.tamper = () => {
      throw new Error('the provider is away')
    }
    expect((await list(ann)).status).toBe(502)
    desk.refused.clear()
    expect((await list(ann)).status).toBe(200)
  })

  it('may refuse a token that its renewal gives again, which is not renewed at each use then', async () => {
    desk.provider.tamper = (body) => void (body.expires_in = 3_600)
    const ann = await desk.signIn('ann')
    await list(ann)
    const [token = ''] = bearers()
    desk.provider.tamper = (body) => Object.assign(body, { access_token: token, expires_in: 3_600 })
    desk.refused.add(token)
    const before = countTokens()
    expect((await list(ann)).status).toBe(502)
    desk.refused.clear()
    for (let times = 0; times < 3; times += 1) expect((await list(ann)).status).toBe(200)
    expect(countTokens() - before).toBe(1)
  })

  it('never sees a token in the store, in a cookie, in a reply or in the log', async () => {
    const ann = await desk.signIn('ann')
    const reply = await list(ann)
    const rows = JSON.stringify(await desk.store.db.select().from(providerTokens))
    const secrets = desk.provider.given.flatMap(({ access_token: a, refresh_token: r, id_token: i }) =>
      [a, r, i].filter((one) => typeof one === 'string'),
    )
    const told = [rows, ann.setCookies.join('\n'), reply.text, log].join('\n')
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([])
    expect(secrets.length).toBeGreaterThan(2)
  })

  it('is not asked for somebody without a token', async () => {
    const email = 'local@example.com'
    await createUser(desk.store.db, { email, password, role: 'admin', connectionId: defaultConnectionId })
    const local = new AuthClient()
    await local.signIn(email, password)
    expect(await list(local)).toMatchObject({ status: 403, text: expect.stringContaining('owner-signed-out') })
    expect(desk.service.requests).toEqual([])
  })

  it('is asked no more when the provider gives no more', async () => {
    const ann = await desk.signIn('ann')
    const claims = desk.provider.people.get('ann') ?? {}
    desk.provider.people.delete('ann')
    expect(await list(ann)).toMatchObject({ status: 403, text: expect.stringContaining('owner-signed-out') })
    expect((await list(ann)).status).toBe(403)
    expect(desk.service.requests).toEqual([])
    desk.provider.people.set('ann', claims)
  })

  it('is asked no more after signing out, and the tokens are gone', async () => {
    const before = await desk.store.db.$count(providerTokens)
    const ann = await desk.signIn('ann')
    expect(await desk.store.db.$count(providerTokens)).toBe(before + 1)
    await ann.signOut()
    expect(await desk.store.db.$count(providerTokens)).toBe(before)
    expect((await list(ann)).status).toBe(401)
    expect(desk.service.requests).toEqual([])
  })

  it.each<[what: string, end: (session: Session) => Promise<unknown>, left: number]>([
    ['all sign-ins of the account end', ({ userId }) => endSessionsOf(desk.store.db, userId, new Date()), 0],
    ['all others are ended', (session) => endOwnSessions(session, null), 1],
    [
      'there are more than twenty',
      async ({ userId }) => {
        for (let count = 0; count < 20; count += 1) await startSession(desk.store.db, userId, new Date())
      },
      0,
    ],
  ])('leaves no tokens where %s', async (_, end, left) => {
    await desk.signIn('ann')
    const session = await readSessionFrom((await desk.signIn('ann')).cookies.get(sessionCookie))
    if (!session) throw new Error('not signed in')
    await end(session)
    const own = desk.store.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, session.userId))
    expect(await desk.store.db.$count(providerTokens, inArray(providerTokens.sessionId, own))).toBe(left)
  })
})
