import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it, vi } from 'vitest'
import { PUT as addPasskey, POST as beginPasskey } from '@/app/api/second-factor/passkeys/route'
import { POST as proveFactor } from '@/app/api/second-factor/route'
import { POST as beginTotp, PUT as confirmTotp } from '@/app/api/second-factor/totp/route'
import { getDeviceCookieName } from '../auth/known-device'
import { signInByProvider } from '../auth/openid-sign-in'
import { readSessionToken } from '../auth/session-token'
import { readLiveSession } from '../auth/sessions'
import { signInWithPasskey } from '../auth/sign-in'
import { createTenantScope } from '../auth/tenant-scope'
import * as accounts from '../auth/users'
import { getSettings } from '../runtime/settings'
import { authenticators } from '../store/factor-schema'
import { connections, defaultConnectionId, memberships, users } from '../store/schema'
import { inviteUser, removeMember } from '../team/commands'
import { type AuthClient, AuthDesk, sessionCookie } from '../testing/auth-fixture'
import { ask, codeOf } from '../testing/factor-fixture'
import { SoftwarePasskey } from '../testing/software-passkey'
import { addFactor, beginOwnPasskey } from './factors'
import { askForPasskey } from './passkeys'

/** Passkeys need a host name. */
const desk = new AuthDesk('http://localhost:3000')

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

async function addPerson(email: string, passkey: SoftwarePasskey): Promise<AuthClient> {
  await desk.addUser(email, 'support')
  const client = await desk.signIn(email)
  const { body } = await ask(client, beginPasskey, 'POST')
  const added = await ask(client, addPasskey, 'PUT', { name: 'Key', response: passkey.create(body.challenge) })
  expect([added.status, added.body.recoveryCodes?.length]).toEqual([200, 10])
  return client
}

const challengeOf = async (signIn: { sessionId: string; userId: string } | null) =>
  (await askForPasskey(desk.db, signIn, new Date())).challenge

const signIn = (answer: object) =>
  signInWithPasskey(
    desk.db,
    { answer: JSON.stringify(answer), peer: '192.0.2.1', deviceCookie: undefined },
    null,
    new Date(),
  )

/** A sign-in that lacks its factor. */
async function beginSignIn(email: string) {
  const client = await desk.signIn(email)
  const claims = await readSessionToken(client.cookies.get(sessionCookie))
  return { client, signIn: { sessionId: claims?.sid ?? '', userId: claims?.sub ?? '' } }
}

it('signs in alone, once for a challenge, whoever is first', async () => {
  const passkey = new SoftwarePasskey()
  await addPerson('alone@example.com', passkey)
  const answer = passkey.get(await challengeOf(null))
  const claims = await Promise.all([signIn(answer), signIn(answer)])
  const [won] = claims.filter((one) => one !== null)
  expect(claims.filter((one) => one === null)).toHaveLength(1)
  expect(won && (await readLiveSession(desk.db, won, new Date()))).toMatchObject({ factor: 'passkey' })
  expect(await signIn(answer)).toBeNull()
})

it('is told apart from any other text, also from what Postgres or the server can’t take', async () => {
  const passkey = new SoftwarePasskey()
  await addPerson('told@example.com', passkey)
  const answer = passkey.get(await challengeOf(null))
  for (const id of ['\0', `${answer.id}\0`, { toString: 1 }, ['x'], null, 'x'.repeat(5_000)])
    expect(await signIn({ ...answer, id })).toBeNull()
  // Decoders pass over the last character.
  expect(await signIn(passkey.get(`${await challengeOf(null)}\0`))).toBeNull()
  expect(await signIn(answer)).not.toBeNull()
})

it('is stored with the ways to reach it that browsers know, whatever the answer says', async () => {
  const client = await addPerson('ways@example.com', new SoftwarePasskey())
  const add = async (transports: unknown) => {
    const { body } = await ask(client, beginPasskey, 'POST')
    const made = new SoftwarePasskey().create(body.challenge)
    const response = { ...made, response: { ...made.response, transports } }
    const { status, body: reply } = await ask(client, addPasskey, 'PUT', { name: 'Key', response })
    const [row] = await desk.db
      .select({ transports: authenticators.transports })
      .from(authenticators)
      .where(eq(authenticators.id, String(reply.authenticatorId)))
    return [status, row?.transports]
  }
  expect(await add(['usb', 'a\0b', 'internal', 7])).toEqual([200, ['internal', 'usb']])
  expect(await add('usb')).toEqual([200, []])
})

it('is gone where its account was left behind, however somebody else came to add it', async () => {
  const passkey = new SoftwarePasskey()
  await addPerson('left@example.com', passkey)
  const bossId = await desk.addUser('boss@example.com', 'admin')
  const boss = await desk.readSession(await desk.signIn('boss@example.com'))
  if (!boss) throw new Error('not signed in')
  const [left] = await desk.db.select().from(users).where(eq(users.email, 'left@example.com'))
  await removeMember(boss, left?.id ?? '')
  await desk.db.insert(connections).values({ connectionId: 'north', name: 'North' })
  await desk.db.insert(memberships).values({ connectionId: 'north', userId: bossId, role: 'admin' })
  const atNorth = { ...boss, scope: createTenantScope('north') }
  const { link } = await inviteUser(atNorth, { email: 'left@example.com', role: 'support' })
  expect(link?.address).toContain('#')
  expect(await signIn(passkey.get(await challengeOf(null)))).toBeNull()
})

it('answers a challenge of the same purpose, sign-in and owner alone', async () => {
  const [own, other] = [new SoftwarePasskey(), new SoftwarePasskey()]
  await addPerson('own@example.com', own)
  await addPerson('other@example.com', other)
  const { client, signIn: pending } = await beginSignIn('own@example.com')
  const prove = async (passkey: object) => (await ask(client, proveFactor, 'POST', { passkey })).status
  const challenge = await challengeOf(pending)
  expect(await signIn(own.get(challenge))).toBeNull()
  expect(await prove(own.get(await challengeOf(null)))).toBe(403)
  const later = await beginSignIn('own@example.com')
  expect(await prove(own.get(await challengeOf(later.signIn)))).toBe(403)
  expect(await prove(other.get(challenge))).toBe(403)
  expect(await prove(own.get(challenge))).toBe(200)
  expect(await desk.readSession(client)).not.toBeNull()
})

it('counts only when unlocked by its owner, at this address, and with a counter that goes on', async () => {
  const passkey = new SoftwarePasskey()
  await addPerson('careful@example.com', passkey)
  const { client, signIn: pending } = await beginSignIn('careful@example.com')
  const challenge = await challengeOf(pending)
  const prove = async () => (await ask(client, proveFactor, 'POST', { passkey: passkey.get(challenge) })).status
  const replies: number[] = []
  for (const fault of [{ isVerified: false }, { origin: 'http://localhost:3001' }, { counter: -1 }]) {
    const right = { isVerified: passkey.isVerified, origin: passkey.origin, counter: passkey.counter + 10 }
    Object.assign(passkey, fault)
    replies.push(await prove())
    Object.assign(passkey, right)
  }
  expect(replies).toEqual([403, 403, 403])
  expect(await prove()).toBe(200)
})

it('is added by the account that asked for it, once', async () => {
  const passkey = new SoftwarePasskey()
  const client = await addPerson('adds@example.com', new SoftwarePasskey())
  const { body } = await ask(client, beginPasskey, 'POST')
  const stranger = await desk.signIn()
  const send = (from: AuthClient) =>
    ask(from, addPasskey, 'PUT', { name: 'Key', response: passkey.create(body.challenge) })
  expect((await send(stranger)).code).toBe('wrong-code')
  expect((await send(client)).status).toBe(200)
  expect((await send(client)).code).toBe('wrong-code')
})

it('is added though the sign-in goes on under another id meanwhile, as after a proof at the provider', async () => {
  await desk.addUser('renewed@example.com', 'support')
  const { body } = await ask(await desk.signIn('renewed@example.com'), beginPasskey, 'POST')
  const renewed = await desk.signIn('renewed@example.com')
  const response = new SoftwarePasskey().create(body.challenge)
  expect((await ask(renewed, addPasskey, 'PUT', { name: 'Key', response })).status).toBe(200)
})

it('makes the browser known where it is the first factor of an account that needs one, and is told also where that fails', async () => {
  await desk.db.update(connections).set({ factorRoles: ['support'] })
  for (const [email, isMarked] of [
    ['marked@example.com', true],
    ['unmarked@example.com', false],
  ] as const) {
    await desk.addUser(email, 'support')
    const client = await desk.signIn(email)
    const { body } = await ask(client, beginPasskey, 'POST')
    const response = new SoftwarePasskey().create(body.challenge)
    const read = vi.spyOn(accounts, 'findAccountById')
    if (!isMarked) read.mockRejectedValue(new Error('connection refused'))
    const added = await ask(client, addPasskey, 'PUT', { name: 'Key', response })
    read.mockRestore()
    expect([added.status, added.body.recoveryCodes?.length]).toEqual([200, 10])
    expect(await desk.readSession(client)).not.toBeNull()
    expect(client.cookies.has(getDeviceCookieName())).toBe(isMarked)
  }
  await desk.db.update(connections).set({ factorRoles: [] })
})

it('does not sign in to an account of the OpenID provider, which decides who still comes in', async () => {
  const claims = { iss: 'https://login.example', sub: 'leaver', email: 'leaver@example.com', email_verified: true }
  const arrival = {
    claims,
    roles: new Map([[defaultConnectionId, 'admin' as const]]),
    peer: '192.0.2.1',
    previous: null,
  }
  const begun = await signInByProvider(desk.db, arrival, new Date(), () => Promise.resolve())
  if (typeof begun === 'string') throw new Error(begun)
  const session = {
    sessionId: begun.sid,
    userId: begun.sub,
    email: 'leaver@example.com',
    due: null,
    needsFactor: false,
  }
  const passkey = new SoftwarePasskey()
  const { challenge } = await beginOwnPasskey(desk.db, session, new Date())
  const factor = { kind: 'passkey' as const, name: 'Key', response: passkey.create(challenge) }
  await addFactor(desk.db, session, factor, new Date())
  expect(await signIn(passkey.get(await challengeOf(null)))).toBeNull()
})

it('answers a challenge of a desk that still signs with the secret before', async () => {
  const passkey = new SoftwarePasskey()
  await addPerson('rotated@example.com', passkey)
  const settings = getSettings()
  const before = { ...settings }
  const challenge = await challengeOf(null)
  try {
    Object.assign(settings, {
      NEXTAUTH_SECRET: 'another secret for tests that is long enough',
      NEXTAUTH_SECRET_PREVIOUS: before.NEXTAUTH_SECRET,
    })
    expect(await signIn(passkey.get(challenge))).not.toBeNull()
  } finally {
    Object.assign(settings, { NEXTAUTH_SECRET_PREVIOUS: undefined, ...before })
  }
})

it('has room for twenty apps and passkeys, also where several are begun at once', async () => {
  const client = await addPerson('many@example.com', new SoftwarePasskey())
  const { body } = await ask(client, beginPasskey, 'POST')
  const app = (await ask(client, beginTotp, 'POST')).body
  const now = new Date()
  const [own] = await desk.db.select().from(users).where(eq(users.email, 'many@example.com'))
  const made = { userId: own?.id ?? '', kind: 'passkey', name: 'Key', createdAt: now, confirmedAt: now } as const
  await desk.db.insert(authenticators).values(Array.from({ length: 19 }, () => ({ ...made, id: randomUUID() })))
  const refusals = [
    await ask(client, addPasskey, 'PUT', { name: 'Late', response: new SoftwarePasskey().create(body.challenge) }),
    await ask(client, confirmTotp, 'PUT', {
      authenticatorId: app.authenticatorId,
      name: 'Late',
      code: codeOf(app.secret),
    }),
    await ask(client, beginPasskey, 'POST'),
    await ask(client, beginTotp, 'POST'),
  ]
  for (const { body: refusal } of refusals)
    expect(refusal.detail).toBe('You already have 20 apps and passkeys. Remove one first.')
})
