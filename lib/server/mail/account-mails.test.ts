import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PUT as putPassword } from '@/app/api/desk/password/route'
import { POST as makeToken } from '@/app/api/desk/tokens/route'
import { POST as proveFactor } from '@/app/api/second-factor/route'
import { PUT as acceptLink } from '@/app/api/password-link/route'
import { POST as askForPassword } from '@/app/api/password-request/route'
import type { Session } from '../auth/session'
import type { RouteHandler } from '../http/route-declaration'
import { peerHeader } from '../runtime/peer-address'
import { passwordLinks } from '../store/auth-schema'
import { mails, passwordRequests } from '../store/mail-schema'
import { activity, attempts, connections, memberships, users } from '../store/schema'
import { disableMember, inviteUser, makeMemberLink } from '../team/commands'
import { listTeam } from '../team/queries'
import { resetFactor } from '../team/reset-factor'
import { answerPasswordRequests } from '../team/password-requests'
import { AuthClient, supporter, testOrigin } from '../testing/auth-fixture'
import { enrol } from '../testing/factor-fixture'
import { MailFixture } from '../testing/mail-fixture'
import type { ReceivedMail } from '../testing/mail-server'
import { queueFactorMail } from './security-mails'

const password = 'a mail server’s pass-phrase'
const fixture = new MailFixture({ password })
const { desk } = fixture
let admin: Session
let boss: AuthClient
let printed = ''

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += String(chunk)
    return true
  })
  await desk.addUser('boss@example.com', 'admin')
  boss = await desk.signIn('boss@example.com')
  const session = await desk.readSession(boss)
  if (!session) throw new Error('not signed in')
  admin = session
})
beforeEach(async () => {
  await desk.db.delete(passwordLinks)
  await desk.db.delete(attempts)
})

async function call(handler: RouteHandler, method: string, body: unknown, client = new AuthClient()) {
  const headers = { origin: testOrigin, 'x-debitdesk': '1', 'content-type': 'application/json' }
  const request = new Request(`${testOrigin}/api/x`, {
    method,
    headers: { ...headers, host: 'evil.example', cookie: client.cookieHeader, [peerHeader]: client.peer },
    body: JSON.stringify(body),
  })
  const response = await handler(request, { params: Promise.resolve(undefined) })
  return { status: response.status, text: await response.text() }
}

const readLink = (mail: ReceivedMail | undefined) => /http\S+\/set-password#\S+/u.exec(mail?.read.text ?? '')?.[0] ?? ''
const readSecret = (mail: ReceivedMail | undefined) => readLink(mail).split('#')[1] ?? ''
const subjectsTo = (to: string) =>
  fixture.server.received.filter((mail) => mail.to.includes(to)).map(({ read }) => read.subject)

async function ask(email: string, peer = '192.0.2.9') {
  const answer = await call(askForPassword, 'POST', { email }, new AuthClient(peer))
  await answerPasswordRequests(desk.db)
  await fixture.send()
  return answer
}

describe('an invitation', () => {
  it('goes to who is invited, and its link to nobody else', async () => {
    const { link } = await inviteUser(admin, { email: 'new@example.com', role: 'viewer' })
    expect(link).toEqual({ address: null, expiresAt: expect.any(String) })
    const [queued] = await desk.db.select().from(mails)
    const [mail] = await fixture.send()
    expect(mail?.to).toEqual(['new@example.com'])
    expect(mail?.read.subject).toBe('You’re invited to Test merchant in Debitdesk')
    expect(mail?.read.text).toContain('boss@example.com has invited you')
    expect(readLink(mail)).toMatch(/^http:\/\/127\.0\.0\.1:3000\/set-password#[\w-]{43}$/u)
    // Encrypted as long as it waits, then gone.
    expect(queued?.link).not.toContain(readSecret(mail))
    expect(JSON.stringify(await desk.db.select().from(mails))).not.toContain(readSecret(mail))
    expect(await desk.db.select().from(mails)).toMatchObject([{ state: 'sent', link: null }])
    expect(JSON.stringify(await desk.db.select().from(activity)) + printed).not.toContain(readSecret(mail))
    const accepted = await call(acceptLink, 'PUT', { secret: readSecret(mail), password: 'nine violet ferries' })
    expect(accepted.status).toBe(200)
    await fixture.send()
    expect(subjectsTo('new@example.com')).toContain('Your Debitdesk password was changed')
  })

  it('that couldn’t be mailed is shown as such to the team’s admins', async () => {
    const stateOf = async () =>
      (await listTeam(admin)).members.find(({ email }) => email === 'typo@example.com')?.linkMail
    fixture.server.refusals.set('typo@example.com', 550)
    await inviteUser(admin, { email: 'typo@example.com', role: 'viewer' })
    expect(await stateOf()).toBe('waiting')
    await fixture.send()
    expect(await stateOf()).toBe('given-up')
  })

  it('is not sent once it was replaced or its account was disabled', async () => {
    const { userId } = await inviteUser(admin, { email: 'late@example.com', role: 'viewer' })
    await makeMemberLink(admin, userId)
    await fixture.send()
    expect(subjectsTo('late@example.com')).toHaveLength(1)
    await makeMemberLink(admin, userId)
    await disableMember(admin, userId)
    await fixture.send()
    expect(subjectsTo('late@example.com')).toHaveLength(1)
    expect(await desk.db.$count(mails, eq(mails.state, 'given-up'))).toBe(2)
  })
})

describe('a forgotten password', () => {
  it('is answered alike whether or not there is an account, and only its owner gets a link', async () => {
    const known = await ask(supporter.email)
    const unknown = await ask('nobody@example.com')
    const nonsense = await ask('not an address')
    const same = { status: 202, text: '{"ok":true}' }
    expect([known, unknown, nonsense]).toEqual([same, same, same])
    expect(fixture.server.received.map(({ to }) => to)).toEqual([[supporter.email]])
    expect(await desk.db.$count(passwordRequests)).toBe(0)
    const [mail] = fixture.server.received
    expect(readLink(mail)).toMatch(new RegExp(`^${testOrigin}/set-password#`, 'u'))
    expect(mail?.read.text).toContain('your password stays as it is')
    const accepted = await call(acceptLink, 'PUT', { secret: readSecret(mail), password: 'nine violet ferries' })
    expect(accepted.status).toBe(200)
  })

  it('of somebody who is still invited is a new invitation, which names the merchant', async () => {
    const { userId } = await inviteUser(admin, { email: 'pending@example.com', role: 'viewer' })
    const gone = { connectionId: 'gone', name: 'A merchant that is gone', removedAt: new Date() }
    await desk.db.insert(connections).values(gone)
    await desk.db.insert(memberships).values({ connectionId: gone.connectionId, userId, role: 'viewer' })
    await desk.db.delete(mails)
    await ask('pending@example.com')
    const [mail] = fixture.server.received
    expect(mail?.read.subject).toBe('You’re invited to Test merchant in Debitdesk')
    expect(mail?.read.text).toContain(
      'You’re invited to work for Test merchant in Debitdesk, and a new link was asked for',
    )
    expect(mail?.read.text).not.toMatch(/has invited you|undefined|null/u)
    expect((await call(acceptLink, 'PUT', { secret: readSecret(mail), password: 'nine violet ferries' })).status).toBe(
      200,
    )
  })

  it('asked for again within minutes ends no link that is on its way', async () => {
    await ask('boss@example.com')
    await ask('boss@example.com')
    expect(subjectsTo('boss@example.com')).toEqual(['Choose a new password for Debitdesk'])
  })

  it('makes five links a day, however often it is asked for, and the last one stays', async () => {
    const email = 'pestered@example.com'
    await desk.addUser(email, 'viewer')
    const ofDay = async () => {
      for (let count = 0; count < 7; count += 1) {
        expect((await ask(email)).status).toBe(202)
        await desk.db.update(passwordLinks).set({ createdAt: sql`${passwordLinks.createdAt} - interval '11 minutes'` })
      }
      return fixture.server.received.filter(({ to }) => to.includes(email))
    }
    const sent = await ofDay()
    expect(sent).toHaveLength(5)
    expect(await desk.db.$count(activity, eq(activity.objectId, email))).toBe(5)
    const secret = readSecret(sent.at(-1))
    expect((await call(acceptLink, 'PUT', { secret, password: 'nine violet ferries' })).status).toBe(200)
    await desk.db.delete(attempts)
    await desk.db.update(passwordLinks).set({ createdAt: sql`${passwordLinks.createdAt} - interval '23 hours'` })
    await ask(email)
    expect(subjectsTo(email).filter((subject) => subject?.startsWith('Choose'))).toHaveLength(6)
  })

  it('is in the log as asked for by nobody known', async () => {
    await desk.addUser('asked@example.com', 'viewer')
    await ask('asked@example.com')
    const entries = await desk.db.select().from(activity).where(eq(activity.objectId, 'asked@example.com'))
    expect(entries).toMatchObject([{ action: 'user.reset-link-made', actor: 'unknown' }])
  })

  it('is throttled by address and by peer, and keeps nobody from signing in', async () => {
    const answers: number[] = []
    for (let count = 0; count < 11; count += 1) answers.push((await ask('boss@example.com', `192.0.2.${count}`)).status)
    expect(answers).toEqual([...Array(10).fill(202), 429])
    expect((await boss.signIn('boss@example.com', supporter.password)).status).toBe(200)
    expect((await new AuthClient('198.51.100.1').signIn('boss@example.com', supporter.password)).status).toBe(200)
  })

  it('leads nowhere for a disabled account', async () => {
    const userId = await desk.addUser('off@example.com', 'viewer')
    await desk.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId))
    expect((await ask('off@example.com')).status).toBe(202)
    expect(fixture.server.received).toEqual([])
  })

  it('is refused to pages of other sites', async () => {
    const request = new Request(`${testOrigin}/api/x`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'x-debitdesk': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ email: supporter.email }),
    })
    expect((await askForPassword(request, { params: Promise.resolve(undefined) })).status).toBe(403)
  })
})

describe('the owner of an account', () => {
  it('is told of a sign-in with a browser that isn’t known, not of one that is', async () => {
    const email = 'mobile@example.com'
    await desk.addUser(email, 'viewer')
    const client = await desk.signIn(email)
    await client.signIn(email, supporter.password)
    const [mail] = await fixture.send()
    expect(subjectsTo(email)).toEqual(['New sign-in to your Debitdesk account'])
    expect(mail?.read.text).toContain('from 192.0.2.1')
    for (let count = 0; count < 7; count += 1) await desk.signIn(email)
    await fixture.send()
    expect(subjectsTo(email)).toHaveLength(5)
  })

  it('is told of a changed password and a changed second factor', async () => {
    const email = 'careful@example.com'
    const userId = await desk.addUser(email, 'viewer')
    const client = await desk.signIn(email)
    await desk.db.delete(mails)
    const change = { current: supporter.password, password: 'nine violet ferries' }
    expect((await call(putPassword, 'PUT', change, client)).status).toBe(200)
    await queueFactorMail(desk.db, userId, 'removed', new Date('2026-11-20T12:00:00Z'))
    const [, factor] = await fixture.send()
    expect(subjectsTo(email)).toEqual([
      'Your Debitdesk password was changed',
      'Your second factor for Debitdesk was changed',
    ])
    expect(factor?.read.text).toContain('was removed from your account on 20 Nov 2026, 13:00 CET')
  })

  it('is told of a used recovery code and of a request to reset the factor', async () => {
    const { email, userId, codes } = await enrol(desk)
    await desk.db.delete(mails)
    const client = await desk.signIn(email)
    expect((await call(proveFactor, 'POST', { recoveryCode: codes[0] }, client)).status).toBe(200)
    const boss = await desk.readSession(await desk.signIn('boss@example.com'))
    if (!boss) throw new Error('not signed in')
    await resetFactor(boss, userId)
    await fixture.send()
    expect(subjectsTo(email)).toEqual(
      expect.arrayContaining([
        'A recovery code of your Debitdesk account was used',
        'A reset of your second factor for Debitdesk was requested',
      ]),
    )
  })

  it('of an API token that is made, without the token', async () => {
    const email = 'scripting@example.com'
    await desk.addUser(email, 'viewer')
    const client = await desk.signIn(email)
    await desk.db.delete(mails)
    const { status, text } = await call(makeToken, 'POST', { name: 'nightly', role: 'viewer', days: 7 }, client)
    const [mail] = await fixture.send()
    expect([status, subjectsTo(email)]).toEqual([201, ['An API token was created for your Debitdesk account']])
    expect(mail?.read.text).toContain('The API token “nightly” was created on')
    expect(JSON.stringify(mail)).not.toContain(JSON.parse(text).text)
  })
})

it('signs in at the mail server, and its password is in no log and no row', async () => {
  await ask('boss@example.com')
  expect(fixture.server.signIns).toContain(`desk:${password}`)
  expect(printed + JSON.stringify(await desk.db.select().from(mails))).not.toContain(password)
})
