import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { GET as checkProof } from '@/app/api/desk/sessions/current/proof/route'
import { DELETE as deleteFactor } from '@/app/api/second-factor/[authenticatorId]/route'
import { GET as getFactors, POST as proveFactor } from '@/app/api/second-factor/route'
import { POST as beginTotp, PUT as confirmTotp } from '@/app/api/second-factor/totp/route'
import { getDeviceCookieName } from '../auth/known-device'
import { readSessionToken } from '../auth/session-token'
import { attempts, connections, sessions } from '../store/schema'
import { disableMember } from '../team/commands'
import { resetFactor } from '../team/reset-factor'
import { AuthClient, AuthDesk, sessionCookie } from '../testing/auth-fixture'
import { ask, codeOf, enrol, type Person } from '../testing/factor-fixture'
import { addFactor } from './factors'
import { readFactorSession } from './pending-session'

/* Ways around the second factor that were tried, each with what must be seen instead (docs/decisions/0135). */

const desk = new AuthDesk()

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
beforeEach(async () => {
  await desk.db.update(connections).set({ factorRoles: [] })
})

const isSignedIn = async (client: AuthClient) => (await desk.readSession(client)) !== null

async function sessionOf({ client }: Person) {
  const session = await desk.readSession(client)
  if (!session) throw new Error('not signed in')
  return session
}

async function addApp(client: AuthClient) {
  const { body } = await ask(client, beginTotp, 'POST')
  const { authenticatorId, secret } = body
  const added = await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Other', code: codeOf(secret) })
  return { status: added.status, authenticatorId, secret }
}

const removeApp = (client: AuthClient, authenticatorId: string) =>
  ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId })

it('a stranger can’t use up the codes of somebody by what they type as an e-mail address', async () => {
  const { email, secret } = await enrol(desk)
  const stranger = new AuthClient('203.0.113.9')
  for (const typed of [`second factor of ${email}`, `code\0${email}`])
    for (let attempt = 0; attempt < 10; attempt += 1) await stranger.signIn(typed, 'x')
  const owner = await desk.signIn(email)
  expect((await ask(owner, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(200)
})

it('a full session is not proven again by a code alone', async () => {
  const { client, codes } = await enrol(desk)
  await desk.db.update(sessions).set({ provenAt: new Date(Date.now() - 3_600_000) })
  expect((await ask(client, proveFactor, 'POST', { recoveryCode: codes[0] })).code).toBe('not-possible')
  expect((await ask(client, checkProof, 'GET')).code).toBe('step-up')
})

it('sign-ins by the password alone end no full one', async () => {
  const { client, email } = await enrol(desk)
  for (let attempt = 0; attempt < 22; attempt += 1) await desk.signIn(email)
  expect(await isSignedIn(client)).toBe(true)
})

it('the owner’s right code refills nobody’s tries, and fifty wrong ones are the most in a day', async () => {
  const { email, codes, secret } = await enrol(desk)
  const thief = await desk.signIn(email)
  let wrong = 0
  const guess = async () => {
    const { code } = await ask(thief, proveFactor, 'POST', { code: '000000' })
    if (code === 'wrong-code') wrong += 1
    return code
  }
  for (const recoveryCode of codes.slice(0, 3)) {
    for (let attempt = 0; attempt < 6; attempt += 1) await guess()
    await ask(await desk.signIn(email), proveFactor, 'POST', { recoveryCode })
  }
  expect(wrong).toBe(10)
  for (let hour = 1; hour <= 6; hour += 1) {
    await desk.db.update(attempts).set({ at: new Date(Date.now() - 16 * 60_000) })
    while ((await guess()) === 'wrong-code');
  }
  expect(wrong).toBe(50)
  expect((await ask(await desk.signIn(email), proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(429)
})

it('the password alone makes no browser known', async () => {
  const { email, secret } = await enrol(desk)
  const client = await desk.signIn(email)
  expect(client.cookies.has(getDeviceCookieName())).toBe(false)
  expect((await ask(client, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(200)
})

it('removing a factor ends what was proven with it', async () => {
  const { client, email, secret, factorId } = await enrol(desk)
  const thief = await desk.signIn(email)
  await ask(thief, proveFactor, 'POST', { code: codeOf(secret, 1) })
  expect(await isSignedIn(thief)).toBe(true)
  await addApp(client)
  expect((await removeApp(client, factorId)).status).toBe(200)
  expect([await isSignedIn(thief), await isSignedIn(client)]).toEqual([false, true])
})

it('a request that was let in before the owner added a factor adds none after it', async () => {
  const email = 'late@example.com'
  await desk.addUser(email, 'support')
  await desk.db.update(connections).set({ factorRoles: ['support'] })
  const [thief, owner] = [await desk.signIn(email), await desk.signIn(email)]
  const letIn = await readFactorSession(desk.db, thief.cookies.get(sessionCookie), new Date())
  const { body } = await ask(thief, beginTotp, 'POST')
  expect((await addApp(owner)).status).toBe(200)
  if (!letIn) throw new Error('not let in')
  const factor = {
    kind: 'totp',
    authenticatorId: body.authenticatorId,
    name: 'Thief',
    code: codeOf(body.secret),
  } as const
  await expect(addFactor(desk.db, letIn, factor, new Date())).rejects.toMatchObject({ code: 'signed-out' })
})

it('of two requests that each remove another of two required factors one is refused', async () => {
  const { client, factorId } = await enrol(desk)
  const { authenticatorId } = await addApp(client)
  await desk.db.update(connections).set({ factorRoles: ['support'] })
  const replies = await Promise.all([removeApp(client, factorId), removeApp(client, authenticatorId)])
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

it('a session keeps no proof of a factor that is gone', async () => {
  const { client, factorId } = await enrol(desk)
  await removeApp(client, factorId)
  await desk.db.update(connections).set({ factorRoles: ['support'] })
  expect(await isSignedIn(client)).toBe(false)
})

it('a sign-in that waited too long for its factor doesn’t come back without one', async () => {
  const { client, email, factorId } = await enrol(desk)
  const thief = await desk.signIn(email)
  const claims = await readSessionToken(thief.cookies.get(sessionCookie))
  const before = new Date(Date.now() - 25 * 60_000)
  await desk.db
    .update(sessions)
    .set({ createdAt: before })
    .where(eq(sessions.id, claims?.sid ?? ''))
  expect((await ask(thief, getFactors, 'GET')).code).toBe('signed-out')
  await removeApp(client, factorId)
  expect(await isSignedIn(thief)).toBe(false)
})

it('a reset that a disabled admin asked for, or for another factor, counts for nothing', async () => {
  const [bad, good, person] = [await enrol(desk, 'admin'), await enrol(desk, 'admin'), await enrol(desk)]
  expect(await resetFactor(await sessionOf(bad), person.userId)).toBe(false)
  await disableMember(await sessionOf(good), bad.userId)
  expect(await resetFactor(await sessionOf(good), person.userId)).toBe(false)
  await addApp(person.client)
  await removeApp(person.client, person.factorId)
  const third = await enrol(desk, 'admin')
  expect(await resetFactor(await sessionOf(third), person.userId)).toBe(false)
})

it('whoever planted the sign-in in the browser that proves the factor is left with nothing', async () => {
  const { email, secret } = await enrol(desk)
  const victim = await desk.signIn(email)
  const thief = new AuthClient()
  thief.cookies.set(sessionCookie, victim.cookies.get(sessionCookie) ?? '')
  expect((await ask(victim, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(200)
  expect([await isSignedIn(victim), await isSignedIn(thief)]).toEqual([true, false])
  // Not even what is left of a sign-in without its factor.
  expect((await ask(thief, getFactors, 'GET')).code).toBe('signed-out')
})

it('whoever planted the sign-in in the browser that adds the first factor is left with nothing', async () => {
  const email = 'planted@example.com'
  await desk.addUser(email, 'support')
  await desk.db.update(connections).set({ factorRoles: ['support'] })
  const victim = await desk.signIn(email)
  const thief = new AuthClient()
  thief.cookies.set(sessionCookie, victim.cookies.get(sessionCookie) ?? '')
  expect((await addApp(victim)).status).toBe(200)
  expect([await isSignedIn(victim), await isSignedIn(thief)]).toEqual([true, false])
})

it('the cookie of the new id is as well protected as that of the old', async () => {
  const { email, secret } = await enrol(desk)
  const client = await desk.signIn(email)
  const cookieLines = () => client.setCookies.filter((line) => line.startsWith(`${sessionCookie}=`))
  expect((await ask(client, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(200)
  // Its own value and its end differ.
  const attributesOf = (line = '') =>
    line
      .split('; ')
      .slice(1)
      .filter((attribute) => !attribute.startsWith('Expires='))
      .toSorted()
  expect(cookieLines()).toHaveLength(2)
  expect(attributesOf(cookieLines()[1])).toEqual(attributesOf(cookieLines()[0]))
})
