import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PUT as putFactorRule } from '@/app/api/desk/factor-rule/route'
import { PUT as putPassword } from '@/app/api/desk/password/route'
import { POST as postProof } from '@/app/api/desk/sessions/current/proof/route'
import { GET as getTeam } from '@/app/api/desk/team/route'
import { DELETE as deleteFactor } from '@/app/api/second-factor/[authenticatorId]/route'
import { PUT as addPasskey, POST as beginPasskey } from '@/app/api/second-factor/passkeys/route'
import { POST as renewCodes } from '@/app/api/second-factor/recovery-codes/route'
import { GET as getFactors, POST as proveFactor } from '@/app/api/second-factor/route'
import { POST as beginTotp, PUT as confirmTotp } from '@/app/api/second-factor/totp/route'
import { getDeviceCookieName } from '@/lib/server/auth/known-device'
import { activity, connections, sessions } from '@/lib/server/store/schema'
import { authenticators, recoveryCodes } from '@/lib/server/store/factor-schema'
import { resetFactor, withdrawFactorReset } from '@/lib/server/team/reset-factor'
import { runUserCommand } from '@/lib/server/team/user-command'
import { AuthClient, AuthDesk, supporter } from '@/lib/server/testing/auth-fixture'
import { ask, codeOf, enrol, type Person } from '@/lib/server/testing/factor-fixture'

const desk = new AuthDesk()
const isSignedIn = async (client: AuthClient) => (await desk.readSession(client)) !== null

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
beforeEach(async () => {
  await desk.db.update(connections).set({ factorRoles: [] })
})

describe('an app', () => {
  it('counts once its first code is right, with ten recovery codes', async () => {
    const client = await desk.signIn()
    const { body: setup } = await ask(client, beginTotp, 'POST')
    const { authenticatorId, secret } = setup
    expect(await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: '000000' })).toMatchObject({
      status: 403,
      code: 'wrong-code',
    })
    expect(await isSignedIn(await desk.signIn())).toBe(true)
    const added = await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: codeOf(secret) })
    expect(new Set(added.body.recoveryCodes).size).toBe(10)
    expect(added.body.recoveryCodes[0]).toMatch(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/u)
    expect(await isSignedIn(client)).toBe(true)
    const stored = JSON.stringify([
      await desk.db.select().from(authenticators),
      await desk.db.select().from(recoveryCodes),
      await desk.db.select().from(activity),
    ])
    for (const hidden of [secret, ...added.body.recoveryCodes, added.body.recoveryCodes[0].replaceAll('-', '')])
      expect(stored).not.toContain(hidden)
    await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId })
  })

  it('whose setup was begun again elsewhere is not blamed on its code, nor taken', async () => {
    const client = await desk.signIn()
    const first = (await ask(client, beginTotp, 'POST')).body
    const second = (await ask(client, beginTotp, 'POST')).body
    const confirm = ({ authenticatorId, secret }: typeof first) =>
      ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: codeOf(secret) })
    expect(await confirm(first)).toMatchObject({ status: 409, code: 'conflict' })
    expect((await confirm(second)).status).toBe(200)
    await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId: second.authenticatorId })
  })

  it('has a name of visible characters, which the store can hold', async () => {
    const client = await desk.signIn()
    const { authenticatorId, secret } = (await ask(client, beginTotp, 'POST')).body
    for (const name of ['Ph\0one', 'Ph\u202Eone', ' '])
      expect((await ask(client, confirmTotp, 'PUT', { authenticatorId, name, code: codeOf(secret) })).status).toBe(400)
  })

  it('may be a step early or late, and no code is taken twice', async () => {
    const { email, secret } = await enrol(desk)
    await ask(await desk.signIn(email), proveFactor, 'POST', { code: codeOf(secret, 1) })
    for (const [code, status] of [
      [codeOf(secret, 1), 403],
      [codeOf(secret), 403],
      [codeOf(secret, 2), 403],
      ['', 403],
    ] as const) {
      const next = await desk.signIn(email)
      expect((await ask(next, proveFactor, 'POST', { code })).status).toBe(status)
      expect(await isSignedIn(next)).toBe(false)
    }
    const log = await desk.db.select().from(activity).where(eq(activity.actor, email))
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.factor-added', 'session.factor-proven', 'session.factor-refused']),
    )
  })

  it('takes one code for two sign-ins at the same time only once', async () => {
    const { email, secret } = await enrol(desk)
    const clients = [await desk.signIn(email), await desk.signIn(email)]
    const code = codeOf(secret, 1)
    const replies = await Promise.all(clients.map((client) => ask(client, proveFactor, 'POST', { code })))
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403])
  })
})

describe('a sign-in that lacks its factor', () => {
  it('is no session to any page or route, and becomes one by the code', async () => {
    const { email, secret } = await enrol(desk, 'admin')
    const client = await desk.signIn(email)
    expect(await isSignedIn(client)).toBe(false)
    // Another tab that asks whether it is signed in doesn't sign this one out.
    expect(await (await client.send('GET', 'session')).json()).toEqual({})
    expect((await ask(client, getTeam, 'GET')).status).toBe(401)
    expect((await ask(client, postProof, 'POST', { password: supporter.password })).status).toBe(401)
    expect((await ask(client, putPassword, 'PUT', { current: supporter.password, password: 'x' })).status).toBe(401)
    expect((await ask(client, getFactors, 'GET')).body).toMatchObject({ due: 'enter', email })
    expect((await ask(client, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(200)
    expect(await isSignedIn(client)).toBe(true)
    expect((await ask(client, getTeam, 'GET')).status).toBe(200)
  })

  it('shows nobody as signed in, or as seen', async () => {
    const { client: admin } = await enrol(desk, 'admin')
    const { email, userId } = await enrol(desk)
    const at = new Date(Date.now() - 5 * 60_000)
    await desk.db.update(sessions).set({ lastSeenAt: at }).where(eq(sessions.userId, userId))
    await desk.signIn(email)
    const { members } = (await ask(admin, getTeam, 'GET')).body
    expect(members).toContainEqual(expect.objectContaining({ email, sessions: 1, lastSeenAt: at.toISOString() }))
    const listed = await runUserCommand(desk.db, { action: 'list' }, async () => '')
    expect(listed.find((line) => line.startsWith(email))).toContain(at.toISOString())
  })

  it('can change no factor', async () => {
    const { email, factorId } = await enrol(desk)
    const client = await desk.signIn(email)
    for (const reply of [
      await ask(client, beginTotp, 'POST'),
      await ask(client, beginPasskey, 'POST'),
      await ask(client, renewCodes, 'POST'),
      await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId: factorId }),
    ])
      expect(reply.code).toBe('signed-out')
  })

  it('waits a quarter of an hour', async () => {
    const { email, secret } = await enrol(desk)
    const client = await desk.signIn(email)
    const { sid } = JSON.parse(
      JSON.stringify(
        await (await import('../auth/session-token')).readSessionToken(client.cookies.get('next-auth.session-token')),
      ),
    )
    await desk.db
      .update(sessions)
      .set({ createdAt: new Date(Date.now() - 15 * 60_000) })
      .where(eq(sessions.id, sid))
    expect((await ask(client, proveFactor, 'POST', { code: codeOf(secret, 1) })).code).toBe('signed-out')
  })

  it('is throttled like a password, across sign-ins', async () => {
    const { email, secret, codes } = await enrol(desk)
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await ask(await desk.signIn(email), proveFactor, 'POST', { code: '000000' })).code).toBe('wrong-code')
    const last = await desk.signIn(email)
    expect((await ask(last, proveFactor, 'POST', { code: codeOf(secret, 1) })).status).toBe(429)
    // Recovery codes are too many to guess, and the way in for an owner whom somebody locks out.
    expect((await ask(last, proveFactor, 'POST', { recoveryCode: codes[0] })).status).toBe(200)
  })

  it('takes a recovery code once, however it is typed', async () => {
    const { email, codes } = await enrol(desk)
    const [code = ''] = codes
    const client = await desk.signIn(email)
    expect(
      (await ask(client, proveFactor, 'POST', { recoveryCode: ` ${code.toLowerCase().replaceAll('-', ' ')}` })).status,
    ).toBe(200)
    const next = await desk.signIn(email)
    expect((await ask(next, proveFactor, 'POST', { recoveryCode: code })).code).toBe('wrong-code')
    expect((await ask(client, getFactors, 'GET')).body.recoveryCodes).toBe(9)
  })
})

describe('the other sign-ins of an account', () => {
  it('lack the factor that was added in one', async () => {
    const email = 'twice@example.com'
    await desk.addUser(email, 'support')
    const [one, other] = [await desk.signIn(email), await desk.signIn(email)]
    const { body } = await ask(one, beginTotp, 'POST')
    await ask(one, confirmTotp, 'PUT', {
      authenticatorId: body.authenticatorId,
      name: 'Phone',
      code: codeOf(body.secret),
    })
    expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([true, false])
  })
})

describe('a step-up', () => {
  const forget = () => desk.db.update(sessions).set({ provenAt: new Date(Date.now() - 6 * 60_000) })

  it('asks for the factor beside the password', async () => {
    const { client, secret, factorId } = await enrol(desk)
    await forget()
    const refused = await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId: factorId })
    expect(refused.body).toMatchObject({ status: 403, proof: 'factor' })
    const { password } = supporter
    expect((await ask(client, postProof, 'POST', { password })).code).toBe('step-up')
    expect((await ask(client, postProof, 'POST', { factor: { code: codeOf(secret, 1) } })).code).toBe('step-up')
    const wrong = { password: 'wrong', factor: { code: codeOf(secret, 1) } }
    expect((await ask(client, postProof, 'POST', wrong)).code).toBe('wrong-password')
    expect((await ask(client, putPassword, 'PUT', { current: password, password: 'quiet harbour lamps' })).code).toBe(
      'step-up',
    )
    expect((await ask(client, postProof, 'POST', { password, factor: { code: codeOf(secret, 1) } })).status).toBe(200)
    expect((await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId: factorId })).status).toBe(200)
    expect((await ask(client, getFactors, 'GET')).body).toMatchObject({ authenticators: [], recoveryCodes: 0 })
  })

  it('comes before new recovery codes, which end the old ones', async () => {
    const { client, codes, email } = await enrol(desk)
    const renewed = await ask(client, renewCodes, 'POST')
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    const next = await desk.signIn(email)
    expect((await ask(next, proveFactor, 'POST', { recoveryCode: codes[1] })).code).toBe('wrong-code')
    await forget()
    expect((await ask(client, renewCodes, 'POST')).code).toBe('step-up')
  })
})

describe('a merchant that requires a factor', () => {
  it('shuts out those who lack it until they have set one up', async () => {
    const { client: admin } = await enrol(desk, 'admin')
    expect((await ask(admin, putFactorRule, 'PUT', { before: [], roles: ['support', 'admin'] })).status).toBe(200)
    const email = 'lacks@example.com'
    await desk.addUser(email, 'support')
    const client = await desk.signIn(email)
    expect(await isSignedIn(client)).toBe(false)
    expect((await ask(client, getFactors, 'GET')).body).toMatchObject({ due: 'enrol', isRequired: true })
    const { body } = await ask(client, beginTotp, 'POST')
    const { authenticatorId, secret } = body
    expect(client.cookies.has(getDeviceCookieName())).toBe(false)
    await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: codeOf(secret) })
    expect(await isSignedIn(client)).toBe(true)
    expect(client.cookies.has(getDeviceCookieName())).toBe(true)
    const removed = await ask(client, deleteFactor, 'DELETE', undefined, { authenticatorId })
    expect([removed.code, removed.body.detail]).toEqual([
      'not-possible',
      expect.stringContaining('requires a second factor'),
    ])
    expect(await isSignedIn(client)).toBe(true)
  })

  it('is not one whose admin would be shut out', async () => {
    const email = 'bare@example.com'
    await desk.addUser(email, 'admin')
    const client = await desk.signIn(email)
    expect((await ask(client, putFactorRule, 'PUT', { before: [], roles: ['admin'] })).code).toBe('not-possible')
    expect((await ask(client, putFactorRule, 'PUT', { before: [], roles: ['viewer'] })).status).toBe(200)
    expect((await ask(client, putFactorRule, 'PUT', { before: [], roles: ['everybody'] })).status).toBe(400)
    expect((await ask(await desk.signIn(), putFactorRule, 'PUT', { before: [], roles: [] })).status).toBe(403)
  })
})

describe('a reset of somebody’s factor', () => {
  const sessionOf = async ({ client }: Person) => {
    const session = await desk.readSession(client)
    if (!session) throw new Error('not signed in')
    return session
  }

  it('takes two admins, neither of them the person', async () => {
    const [one, other, person] = [await enrol(desk, 'admin'), await enrol(desk, 'admin'), await enrol(desk)]
    const [first, second] = [await sessionOf(one), await sessionOf(other)]
    expect(await resetFactor(first, person.userId)).toBe(false)
    expect(await resetFactor(first, person.userId)).toBe(false)
    expect((await ask(other.client, getTeam, 'GET')).body.members).toContainEqual(
      expect.objectContaining({
        email: person.email,
        hasFactor: true,
        factorReset: expect.objectContaining({ requestedBy: one.email, isOwn: false }),
      }),
    )
    await expect(resetFactor(first, one.userId)).rejects.toMatchObject({ code: 'not-possible' })
    expect(await isSignedIn(person.client)).toBe(true)
    expect(await resetFactor(second, person.userId)).toBe(true)
    expect(await isSignedIn(person.client)).toBe(false)
    expect(await isSignedIn(await desk.signIn(person.email))).toBe(true)
  })

  it('is over after a day, and when it was withdrawn', async () => {
    const [one, other, person] = [await enrol(desk, 'admin'), await enrol(desk, 'admin'), await enrol(desk)]
    const [first, second] = [await sessionOf(one), await sessionOf(other)]
    await resetFactor(first, person.userId, new Date(Date.now() - 25 * 3_600_000))
    expect(await resetFactor(second, person.userId)).toBe(false)
    await withdrawFactorReset(second, person.userId)
    expect(await resetFactor(first, person.userId)).toBe(false)
  })

  it('is a command too', async () => {
    const person = await enrol(desk)
    const request = { action: 'reset-factor' as const, email: person.email }
    expect(await runUserCommand(desk.db, request, () => Promise.reject(new Error('no password')))).toEqual([
      expect.stringContaining('removed'),
    ])
    expect(await isSignedIn(await desk.signIn(person.email))).toBe(true)
  })
})

describe('a passkey', () => {
  it('is not for an address without a host name', async () => {
    const client = await desk.signIn()
    expect((await ask(client, beginPasskey, 'POST')).code).toBe('not-possible')
  })

  it.each([[{}], [{ id: 'x' }], [{ id: 'x', response: { clientDataJSON: 'e30' } }]])(
    'that nobody made signs nobody in: %j',
    async (answer) => {
      const reply = await new AuthClient().post('callback/passkey', {
        answer: JSON.stringify(answer),
        callbackUrl: '/',
      })
      expect(reply.status).toBe(401)
      const { client, email } = await enrol(desk)
      const response = { ...answer, id: 'x' }
      expect((await ask(client, addPasskey, 'PUT', { name: 'Key', response })).code).toBe('wrong-code')
      const pending = await desk.signIn(email)
      expect((await ask(pending, proveFactor, 'POST', { passkey: response })).code).toBe('wrong-code')
    },
  )
})
