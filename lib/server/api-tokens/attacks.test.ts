import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '@/lib/api-contract/permission'
import { createTenantScope } from '../auth/tenant-scope'
import { disableUser } from '../auth/users'
import { getSettings } from '../runtime/settings'
import { apiTokens } from '../store/api-token-schema'
import { authenticators } from '../store/factor-schema'
import { activity, attempts, connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { endMembership } from '../team/commands'
import { TokenDesk } from '../testing/token-desk'
import { removeAllFactors, removeFactor } from '../second-factor/factors'
import { makeToken } from './commands'

/* Ways around what a token may do that were tried, each with what must be seen instead (docs/decisions/0138). */

let desk: TokenDesk
let people = 0

beforeAll(async () => {
  desk = await TokenDesk.start()
})
beforeEach(async () => {
  globalThis.debitdeskRates?.clear()
  await desk.db.delete(attempts)
  await desk.db.update(connections).set({ factorRoles: [] })
})
afterAll(() => desk.stop())

async function addPerson(role: Role = 'admin', tokenRole: Role = role) {
  people += 1
  const person = await desk.addPerson(`person${people}`, role)
  return { ...person, ...(await desk.makeToken(person.cookie, tokenRole)) }
}

const list = '/api/service/Payments'
const read = (token: string | undefined, headers: Record<string, string> = {}) =>
  desk.ask('GET', list, { token, headers })
const setRole = (userId: string, role: string) =>
  desk.db.update(memberships).set({ role }).where(eq(memberships.userId, userId))

const keys = new Map<Role, { token: string; cookie: string }>()
beforeAll(async () => {
  for (const role of ['admin', 'support', 'viewer'] as const) keys.set(role, await addPerson(role))
})

describe('a token', () => {
  it('is shown once and stored as a hash alone', async () => {
    const { token, id, cookie, status } = await addPerson()
    expect(status).toBe(201)
    expect(token).toMatch(/^dd_[0-9a-f]{12}_[\w-]{43}$/u)
    const stored = JSON.stringify(await desk.db.execute(sql`select * from api_tokens where id = ${id}`))
    const secret = token.slice(16)
    expect(stored).not.toContain(secret)
    const listed = (await desk.ask('GET', '/api/desk/tokens', { cookie })).text
    expect(listed).toContain(token.slice(0, 15))
    expect(listed).not.toContain(secret)
    expect((await read(token)).status).toBe(200)
    expect((await read(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).code).toBe('token-invalid')
    const logs = desk.logged.join('')
    const entries = JSON.stringify(await desk.db.select().from(activity))
    const [row] = await desk.db.select().from(apiTokens).where(eq(apiTokens.id, id))
    for (const place of [logs, entries]) {
      expect(place).not.toContain(secret)
      expect(place).not.toContain(row?.hash)
    }
  })

  it('is refused from the next request on once it is revoked, by its person or an admin', async () => {
    const own = await addPerson('support')
    expect((await read(own.token)).status).toBe(200)
    expect((await desk.ask('DELETE', `/api/desk/tokens/${own.id}`, { cookie: own.cookie })).status).toBe(200)
    const refused = await read(own.token)
    expect([refused.status, refused.code, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'token-invalid',
      'Bearer error="invalid_token"',
    ])
    const other = await addPerson('support')
    const admin = await addPerson()
    expect((await desk.ask('DELETE', `/api/desk/tokens/${other.id}`, { cookie: own.cookie })).status).toBe(404)
    expect((await desk.ask('DELETE', `/api/desk/team/tokens/${other.id}`, { cookie: own.cookie })).status).toBe(403)
    expect((await read(other.token)).status).toBe(200)
    expect((await desk.ask('DELETE', `/api/desk/team/tokens/${other.id}`, { cookie: admin.cookie })).status).toBe(200)
    expect((await read(other.token)).code).toBe('token-invalid')
    expect((await read(admin.token)).status).toBe(200)
    expect((await desk.ask('DELETE', '/api/desk/tokens', { cookie: admin.cookie })).status).toBe(200)
    expect((await read(admin.token)).code).toBe('token-invalid')
  })

  it('ends at its time, and says so to whoever holds it', async () => {
    const { token, id } = await addPerson('viewer')
    await desk.db
      .update(apiTokens)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(apiTokens.id, id))
    const { code, body } = await read(token)
    expect([code, body.detail]).toEqual(['token-invalid', 'This token has expired.'])
    const entries = await desk.db.select().from(activity).where(eq(activity.objectId, id))
    expect(entries.map(({ action }) => action)).toContain('token.refused')
  })

  it('may do less once its person may, and nothing once they have left', async () => {
    const { token, userId } = await addPerson()
    const create = () => desk.ask('POST', '/api/service/Customers', { token, body: {} })
    expect((await create()).code).toBe('bad-request')
    await setRole(userId, 'support')
    expect((await create()).code).toBe('forbidden')
    expect((await read(token)).status).toBe(200)
    await setRole(userId, 'a role of a later version')
    expect((await read(token)).code).toBe('token-invalid')
    await setRole(userId, 'admin')
    expect((await create()).code).toBe('bad-request')
    await desk.db.transaction((tx) => endMembership(tx, defaultConnectionId, userId, new Date()))
    expect((await read(token)).code).toBe('token-invalid')
    await desk.db.insert(memberships).values({ connectionId: defaultConnectionId, userId, role: 'admin' })
    expect((await read(token)).code).toBe('token-invalid')
  })

  it('never does more than its own role, whatever its person may', async () => {
    const { token } = await addPerson('admin', 'viewer')
    expect((await read(token)).status).toBe(200)
    expect((await desk.ask('POST', '/api/desk/bulk', { token, body: {} })).code).toBe('forbidden')
    expect((await desk.ask('DELETE', `${list}/${randomUUID()}`, { token, body: { text: 'x' } })).code).toBe('forbidden')
  })

  it('stays revoked when a disabled account is enabled again, or its factor was reset', async () => {
    const [disabled, reset] = [await addPerson('support'), await addPerson('support')]
    await disableUser(desk.db, disabled.userId, new Date())
    expect((await read(disabled.token)).code).toBe('token-invalid')
    await desk.db.update(users).set({ disabledAt: null }).where(eq(users.id, disabled.userId))
    expect((await read(disabled.token)).code).toBe('token-invalid')
    await desk.db.transaction((tx) => removeAllFactors(tx, reset.userId, new Date()))
    expect((await read(reset.token)).code).toBe('token-invalid')
  })

  it('made without a second factor is refused where its role needs one', async () => {
    const { token } = await addPerson('support', 'viewer')
    await desk.db.update(connections).set({ factorRoles: ['support'] })
    expect((await read(token)).code).toBe('token-invalid')
  })

  it('made with a second factor is as one made without, once its person removed the last one', async () => {
    const { token, userId, email, id } = await addPerson('support')
    const factorId = randomUUID()
    await desk.db
      .insert(authenticators)
      .values({ id: factorId, userId, kind: 'totp', name: 'Phone', createdAt: new Date(), confirmedAt: new Date() })
    await desk.db.update(sessions).set({ factor: 'totp', provenAt: new Date() }).where(eq(sessions.userId, userId))
    await desk.db.update(apiTokens).set({ withFactor: true }).where(eq(apiTokens.id, id))
    const [signIn] = await desk.db.select().from(sessions).where(eq(sessions.userId, userId))
    const owner = { sessionId: signIn?.id ?? '', userId, email, due: null, needsFactor: false }
    await removeFactor(desk.db, owner, factorId, new Date())
    expect((await read(token)).status).toBe(200)
    await desk.db.update(connections).set({ factorRoles: ['support'] })
    expect((await read(token)).code).toBe('token-invalid')
  })

  it('works for its own merchant alone', async () => {
    const { token, userId } = await addPerson()
    const other = 'm-other'
    await desk.db.insert(connections).values({ connectionId: other, name: 'Other' }).onConflictDoNothing()
    await desk.db.insert(memberships).values({ connectionId: other, userId, role: 'admin' })
    for (const merchant of [other, 'm-nobody'])
      expect((await read(token, { 'x-debitdesk-merchant': merchant })).code).toBe('not-found')
    expect((await desk.ask('GET', `${list}?merchant=${other}`, { token })).code).toBe('not-found')
    expect((await read(token, { 'x-debitdesk-merchant': defaultConnectionId })).status).toBe(200)
    // Unlike a sign-in it needs not say which of several merchants it is for.
    expect((await read(token)).status).toBe(200)
  })
})

it('is not made by somebody who was removed after their request was let in', async () => {
  const { userId, email } = await addPerson('admin')
  const [signIn] = await desk.db.select().from(sessions).where(eq(sessions.userId, userId))
  const session = {
    sessionId: signIn?.id ?? '',
    userId,
    email,
    role: 'admin' as const,
    scope: createTenantScope(defaultConnectionId),
  }
  // The account has another merchant, so its sign-in goes on.
  await desk.db.insert(connections).values({ connectionId: 'm-second', name: 'Second' }).onConflictDoNothing()
  await desk.db.insert(memberships).values({ connectionId: 'm-second', userId, role: 'viewer' })
  await desk.db.transaction((tx) => endMembership(tx, defaultConnectionId, userId, new Date()))
  const asked = makeToken(desk.db, session, { name: 'late', role: 'admin', days: 30 })
  await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  await desk.db.insert(memberships).values({ connectionId: defaultConnectionId, userId, role: 'viewer' })
  const asAdmin = makeToken(desk.db, session, { name: 'late', role: 'admin', days: 30 })
  await expect(asAdmin).rejects.toMatchObject({ code: 'forbidden' })
})

describe('an Authorization header', () => {
  it.each<[string, (token: string) => string, string]>([
    ['in lower case', (token) => `bearer ${token}`, 'ok'],
    ['in capitals, with several spaces', (token) => `BEARER   ${token}`, 'ok'],
    ['that is given twice', (token) => `Bearer ${token}, Bearer ${token}`, 'token-invalid'],
    ['with something after it', (token) => `Bearer ${token} x`, 'token-invalid'],
    ['cut short', (token) => `Bearer ${token.slice(0, -1)}`, 'token-invalid'],
    ['with the public part alone', (token) => `Bearer ${token.slice(0, 15)}`, 'token-invalid'],
    ['of another scheme', (token) => `Basic ${token}`, 'signed-out'],
    ['without a scheme', (token) => token, 'signed-out'],
    ['behind another scheme', (token) => `Basic eDp5, Bearer ${token}`, 'signed-out'],
    ['in quotes', (token) => `Bearer "${token}"`, 'signed-out'],
  ])('%s', async (_, write, expected) => {
    const { token } = keys.get('viewer') ?? { token: '' }
    const { code, status } = await desk.ask('GET', list, { headers: { authorization: write(token) } })
    expect(status === 200 ? 'ok' : code).toBe(expected)
  })

  it('is the only place for a token', async () => {
    const { token } = keys.get('viewer') ?? { token: '' }
    for (const name of ['token', 'access_token'])
      expect((await desk.ask('GET', `${list}?${name}=${token}`)).code).toBe('signed-out')
    expect((await desk.ask('GET', list, { cookie: `next-auth.session-token=${token}` })).code).toBe('signed-out')
    expect((await desk.ask('GET', list, { headers: { 'x-api-key': token } })).code).toBe('signed-out')
  })
})

describe('a request of another site', () => {
  const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  const body = { text: 'twice' }
  const path = () => `${list}/${randomUUID()}`

  it('is refused with a cookie, and with a cookie and a wrong token', async () => {
    const { cookie } = keys.get('support') ?? { cookie: '' }
    expect((await desk.ask('DELETE', path(), { cookie, body, headers: foreign })).code).toBe('cross-origin')
    const authorization = 'Bearer dd_x'
    expect((await desk.ask('DELETE', path(), { cookie, body, headers: { ...foreign, authorization } })).code).toBe(
      'token-invalid',
    )
    for (const other of ['Bearer x', 'Basic x', 'dd_x'])
      expect(
        (await desk.ask('DELETE', path(), { cookie, body, headers: { ...foreign, authorization: other } })).code,
      ).toBe('cross-origin')
  })

  it('is answered with a token, which a browser sends to no other origin without asking', async () => {
    const { token } = keys.get('support') ?? { token: '' }
    const payment = desk.service.add()
    const told = await desk.ask('DELETE', `${list}/${payment.id}`, { token, body, headers: foreign })
    expect(told.status).toBe(202)
    const asked = await desk.ask('OPTIONS', `${list}/${payment.id}`, { headers: foreign })
    expect([asked.status, [...asked.headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([
      405,
      [],
    ])
  })
})

describe('limits', () => {
  it('hold for each token, and say when it may go on', async () => {
    const [busy, other] = [await addPerson('viewer'), await addPerson('viewer')]
    const most = getSettings().API_TOKEN_RATE
    const replies: number[] = []
    for (let asked = 0; asked < most; asked += 1) replies.push((await read(busy.token)).status)
    expect(new Set(replies)).toEqual(new Set([200]))
    const { status, headers, body } = await read(busy.token)
    expect([status, headers.get('content-type')]).toEqual([429, 'application/problem+json; charset=utf-8'])
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(body.retryAfter).toBe(wait)
    expect((await read(other.token)).status).toBe(200)
  })

  it('hold for the address that sends wrong tokens, and never for a right one', async () => {
    const { token } = keys.get('viewer') ?? { token: '' }
    const wrong = `dd_${'0'.repeat(12)}_${'x'.repeat(43)}`
    const codes: string[] = []
    for (let guess = 0; guess < 101; guess += 1) codes.push((await read(wrong)).code)
    expect(codes.slice(0, 100).every((code) => code === 'token-invalid')).toBe(true)
    const { status, headers } = await read(wrong)
    expect([codes[100], status]).toEqual(['too-many-attempts', 429])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await read(token)).status).toBe(200)
  })

  it('of single cancellations hold for a token, which can’t prove itself again and waits', async () => {
    const { token } = await addPerson('support')
    const cancel = () =>
      desk.ask('DELETE', `${list}/${desk.service.add().id}`, { token, body: { text: 'Ordered twice' } })
    for (let done = 0; done < 20; done += 1) expect((await cancel()).status).toBe(202)
    const { status, headers } = await cancel()
    expect(status).toBe(429)
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(500)
    expect(wait).toBeLessThanOrEqual(600)
  })
})

it('lists of one payment are counted as single cancellations', async () => {
  const { token } = await addPerson('support-without-bulk')
  const cancel = async () => {
    const body = { kind: 'list', name: null, rows: [{ given: desk.service.add().id, reason: null }] }
    const id = String((await desk.ask('POST', '/api/desk/bulk', { token, body })).body.id)
    const { count, digest, sums } = await waitFor(token, id, ['ready'])
    const confirmed = { count, digest, sums, reason: 'Ordered twice' }
    const started = await desk.ask('POST', `/api/desk/bulk/${id}/start`, { token, body: confirmed })
    return { ...started, id }
  }
  for (let done = 0; done < 19; done += 1) expect((await cancel()).status).toBe(202)
  const single = () =>
    desk.ask('DELETE', `${list}/${desk.service.add().id}`, { token, body: { text: 'Ordered twice' } })
  expect((await single()).status).toBe(202)
  const refused = await cancel()
  expect([refused.status, refused.code]).toEqual([429, 'too-many-attempts'])
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(500)
  expect(wait).toBeLessThanOrEqual(600)
  expect((await waitFor(token, refused.id, ['ready'])).state).toBe('ready')
  expect((await single()).code).toBe('too-many-attempts')
})

it('what is done by a token is written down as that of a token of its person', async () => {
  const { token, id, email } = await addPerson('support')
  const payment = desk.service.add()
  await desk.ask('DELETE', `${list}/${payment.id}`, { token, body: { text: 'Ordered twice' } })
  const [intended] = await desk.db.select().from(activity).where(eq(activity.objectId, payment.id)).limit(1)
  expect(intended?.actor).toBe(email)
  expect(intended?.details).toMatchObject({
    apiToken: { id, name: 'nightly' },
    request: { apiToken: { id, name: 'nightly' } },
  })
  expect(JSON.stringify(intended?.details)).not.toContain('sessionId')
  const [row] = await desk.db.select().from(apiTokens).where(eq(apiTokens.id, id))
  expect(Date.now() - (row?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(60_000)
})

it('an approval by a second person stands between a token and what needs one', async () => {
  const { token, cookie } = await addPerson('support')
  const rule = { everyBulk: true, limits: [{ currency: 'DKK', amount: '100' }], hours: 24 }
  await desk.db.update(connections).set({ approval: rule }).where(eq(connections.connectionId, defaultConnectionId))
  try {
    const payment = desk.service.add()
    const single = await desk.ask('DELETE', `${list}/${payment.id}`, { token, body: { text: 'Ordered twice' } })
    expect(single.code).toBe('approval-needed')
    const body = { kind: 'list', name: null, rows: [{ given: payment.id, reason: null }] }
    const id = String((await desk.ask('POST', '/api/desk/bulk', { token, body })).body.id)
    const ready = await waitFor(token, id, ['ready'])
    const confirmed = { count: ready.count, digest: ready.digest, sums: ready.sums, reason: 'Ordered twice' }
    await desk.ask('POST', `/api/desk/bulk/${id}/start`, { token, body: confirmed })
    expect((await waitFor(token, id, ['awaiting', 'running', 'finished'])).state).toBe('awaiting')
    const approval = { decision: 'approve', count: ready.count, digest: ready.digest }
    const byToken = await desk.ask('POST', `/api/desk/bulk/${id}/approval`, { token, body: approval })
    const byPerson = await desk.ask('POST', `/api/desk/bulk/${id}/approval`, { cookie, body: approval })
    expect([byToken.code, byPerson.code]).toEqual(['token-not-accepted', 'forbidden'])
    const { token: another } = await addPerson('admin')
    const byAnother = await desk.ask('POST', `/api/desk/bulk/${id}/approval`, { token: another, body: approval })
    expect(byAnother.code).toBe('token-not-accepted')
    expect(desk.service.deletes.filter(({ paymentId }) => paymentId === payment.id)).toEqual([])
  } finally {
    await desk.db.update(connections).set({ approval: null })
  }
})

async function waitFor(token: string, id: string, states: string[]) {
  for (;;) {
    const { body } = await desk.ask('GET', `/api/desk/bulk/${id}`, { token })
    if (states.includes(String(body.state))) return body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
