import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DELETE as endOthers, GET as listSessions } from '@/app/api/desk/sessions/route'
import { PUT as putPassword } from '@/app/api/desk/password/route'
import { PUT as acceptLink, POST as lookAtLink } from '@/app/api/password-link/route'
import { POST as postTeam } from '@/app/api/desk/team/route'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import { readSessionFrom, type Session } from '@/lib/server/auth/session'
import { changeOwnPassword } from '@/lib/server/auth/step-up'
import { activity, connections, defaultConnectionId, memberships, sessions, users } from '@/lib/server/store/schema'
import { passwordLinks } from '@/lib/server/store/auth-schema'
import { AuthClient, AuthDesk, sessionCookie, supporter, testOrigin } from '@/lib/server/testing/auth-fixture'
import { ask } from '@/lib/server/testing/factor-fixture'
import { addAdmin } from '@/lib/server/testing/store-fixture'
import {
  changeRole,
  disableMember,
  enableMember,
  endMemberSessions,
  inviteUser,
  makeMemberLink,
} from '@/lib/server/team/commands'
import { makePasswordLink } from '@/lib/server/team/password-links'
import { listTeam } from '@/lib/server/team/queries'

const desk = new AuthDesk()
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
let admin: Session
let boss: AuthClient

async function signedIn(email: string): Promise<{ client: AuthClient; session: Session }> {
  const client = await desk.signIn(email)
  const session = await desk.readSession(client)
  if (!session) throw new Error('not signed in')
  return { client, session }
}

const send = (handler: RouteHandler, method: string, body?: unknown, client = new AuthClient()) =>
  ask(client, handler, method, body)

const memberOf = async (email: string) => (await listTeam(admin)).members.find((member) => member.email === email)
const secretOf = (link: { address: string | null } | null) => link?.address?.split('#')[1] ?? ''

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await desk.addUser('boss@example.com', 'admin')
  const signed = await signedIn('boss@example.com')
  boss = signed.client
  admin = signed.session
})

describe('an invitation', () => {
  it('is a link that sets a password once, and is kept as a hash only', async () => {
    const { link } = await inviteUser(admin, { email: ' New.Person@Example.com', role: 'support' })
    const secret = secretOf(link)
    expect(secret).toMatch(/^[\w-]{43}$/u)
    expect(JSON.stringify(await desk.db.select().from(passwordLinks))).not.toContain(secret)
    expect(JSON.stringify(await desk.db.select().from(activity))).not.toContain(secret)
    expect(await memberOf('new.person@example.com')).toMatchObject({ state: 'invited', role: 'support', sessions: 0 })

    expect(await send(lookAtLink, 'POST', { secret })).toMatchObject({
      status: 200,
      body: {
        email: 'new.person@example.com',
        kind: 'invitation',
        madeBy: admin.email,
        merchants: [expect.any(String)],
      },
    })
    const long = await send(acceptLink, 'PUT', { secret, password: 'lantern'.repeat(200) })
    expect(long).toMatchObject({ status: 400, body: { errors: { password: ['must have at most 128 characters'] } } })
    const weak = await send(acceptLink, 'PUT', { secret, password: 'password1' })
    expect(weak).toMatchObject({ status: 400, body: { errors: { password: [expect.stringContaining('common')] } } })
    const tries = await Promise.all([1, 2].map(() => send(acceptLink, 'PUT', { secret, password: supporter.password })))
    expect(tries.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404])
    expect((await send(lookAtLink, 'POST', { secret })).status).toBe(404)
    expect((await signedIn('new.person@example.com')).session.role).toBe('support')
    expect(await memberOf('new.person@example.com')).toMatchObject({ state: 'active', sessions: 1, linkUntil: null })
  })

  it('ends after a week, with a newer one, and with the account', async () => {
    const { userId, link } = await inviteUser(admin, { email: 'slow@example.com', role: 'viewer' })
    await desk.db.update(passwordLinks).set({ expiresAt: new Date() }).where(eq(passwordLinks.userId, userId))
    expect((await send(lookAtLink, 'POST', { secret: secretOf(link) })).status).toBe(404)
    const second = await makeMemberLink(admin, userId)
    const third = await makeMemberLink(admin, userId)
    expect((await send(lookAtLink, 'POST', { secret: secretOf(second) })).status).toBe(404)
    expect((await send(lookAtLink, 'POST', { secret: secretOf(third) })).status).toBe(200)
    await disableMember(admin, userId)
    expect((await send(lookAtLink, 'POST', { secret: secretOf(third) })).status).toBe(404)
    expect((await send(acceptLink, 'PUT', { secret: secretOf(third), password: supporter.password })).status).toBe(404)
  })

  it('is not for somebody who is in the team, nor for what is no address', async () => {
    await expect(inviteUser(admin, { email: supporter.email, role: 'admin' })).rejects.toMatchObject({
      code: 'in-team',
    })
    await expect(inviteUser(admin, { email: 'ann', role: 'admin' })).rejects.toMatchObject({ code: 'bad-request' })
    for (const [email, why] of [
      ['ann', 'must be an email address'],
      [`ann@${'x'.repeat(60)}.${'x'.repeat(200)}`, 'must be at most 254 characters'],
      [`ann@${'x'.repeat(400)}.example`, 'must be at most 254 characters'],
    ])
      expect(await send(postTeam, 'POST', { email, role: 'admin' }, boss)).toMatchObject({
        status: 400,
        body: { errors: { email: [why] } },
      })
  })

  it('is used from the desk’s own page only', async () => {
    const { link } = await inviteUser(admin, { email: 'away@example.com', role: 'viewer' })
    const body = JSON.stringify({ secret: secretOf(link), password: supporter.password })
    const attacks: Record<string, string>[] = [
      { origin: 'https://evil.test', 'x-debitdesk': '1' },
      { origin: testOrigin },
      { 'x-debitdesk': '1' },
      { origin: testOrigin, 'x-debitdesk': '1', 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of attacks) {
      const request = new Request(`${testOrigin}/api/password-link`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      expect((await acceptLink(request, { params: Promise.resolve(undefined) })).status).toBe(403)
    }
    expect((await send(lookAtLink, 'POST', { secret: secretOf(link) })).status).toBe(200)
  })

  it('is no way in for a guess', async () => {
    for (const secret of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}\n`])
      expect([400, 404]).toContain((await send(acceptLink, 'PUT', { secret, password: supporter.password })).status)
  })
})

describe('an admin', () => {
  it('changes a role, ends sign-ins, closes and opens an account: each counts from the next request', async () => {
    const id = await desk.addUser('mover@example.com', 'viewer')
    const { client } = await signedIn('mover@example.com')
    await changeRole(admin, id, 'support')
    expect(await desk.readSession(client)).toMatchObject({ role: 'support' })
    await endMemberSessions(admin, id)
    expect(await desk.readSession(client)).toBeNull()
    const again = await signedIn('mover@example.com')
    await disableMember(admin, id)
    expect(await desk.readSession(again.client)).toBeNull()
    await expect(desk.signIn('mover@example.com')).rejects.toThrow('401')
    await enableMember(admin, id)
    expect((await signedIn('mover@example.com')).session.role).toBe('support')
    const actions = (await desk.db.select().from(activity).where(eq(activity.objectId, 'mover@example.com'))).map(
      ({ action }) => action,
    )
    expect(actions).toEqual(['user.role-changed', 'user.sessions-ended', 'user.disabled', 'user.enabled'])
  })

  it('needs a password that is five minutes old at most, whatever is to be changed', async () => {
    const id = await desk.addUser('steady@example.com', 'viewer')
    await desk.db
      .update(sessions)
      .set({ provenAt: later(-1) })
      .where(eq(sessions.id, admin.sessionId))
    const changes = [
      () => inviteUser(admin, { email: 'x@example.com', role: 'viewer' }),
      () => changeRole(admin, id, 'admin'),
      () => disableMember(admin, id),
      () => enableMember(admin, id),
      () => endMemberSessions(admin, id),
      () => makeMemberLink(admin, id),
    ]
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'step-up' })
    await desk.db.update(sessions).set({ provenAt: new Date() }).where(eq(sessions.id, admin.sessionId))
  })

  it('cannot take the last admin from the team, also when two try at once', async () => {
    await expect(changeRole(admin, admin.userId, 'viewer')).rejects.toMatchObject({ code: 'last-admin' })
    await expect(disableMember(admin, admin.userId)).rejects.toMatchObject({ code: 'last-admin' })
    const otherId = await desk.addUser('other@example.com', 'admin')
    const other = (await signedIn('other@example.com')).session
    const both = await Promise.allSettled([
      changeRole(admin, otherId, 'viewer'),
      changeRole(other, admin.userId, 'viewer'),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await desk.db.update(memberships).set({ role: 'admin' }).where(eq(memberships.userId, admin.userId))
    await disableMember(admin, otherId)
    // An invited admin without a password doesn't count as another admin.
    await inviteUser(admin, { email: 'soon@example.com', role: 'admin' })
    await expect(disableMember(admin, admin.userId)).rejects.toMatchObject({ code: 'last-admin' })
  })

  it('finds nobody of another merchant, and gets no link into it', async () => {
    await desk.db.insert(connections).values({ connectionId: 'north', name: 'North' })
    const shared = await desk.addUser('both@example.com', 'viewer')
    await desk.db.insert(memberships).values({ connectionId: 'north', userId: shared, role: 'admin' })
    const northern = await addAdmin(desk.db, 'north')
    const stranger = (await inviteUser(northern, { email: 'n@example.com', role: 'admin' })).userId
    for (const change of [
      changeRole(admin, stranger, 'viewer'),
      makeMemberLink(admin, stranger),
      disableMember(admin, stranger),
    ])
      await expect(change).rejects.toMatchObject({ code: 'not-found' })
    for (const change of [
      makeMemberLink(admin, shared),
      disableMember(admin, shared),
      endMemberSessions(admin, shared),
    ])
      await expect(change).rejects.toMatchObject({ code: 'shared-account' })
    expect(await memberOf('both@example.com')).toMatchObject({ isShared: true, isRoleProvided: false })
    await desk.db.update(memberships).set({ fromProvider: true }).where(eq(memberships.userId, shared))
    await changeRole(admin, shared, 'support')
    expect(await memberOf('both@example.com')).toMatchObject({ role: 'support', isRoleProvided: true })
    // Another merchant's admin created the account and may have kept its link, which would lead in here.
    const join = () => inviteUser(admin, { email: 'n@example.com', role: 'viewer' })
    await expect(join()).rejects.toMatchObject({ code: 'shared-account' })
    expect(await memberOf('n@example.com')).toBeUndefined()
    await desk.db.insert(memberships).values({ connectionId: 'north', userId: admin.userId, role: 'admin' })
    expect((await join()).link).toBeNull()
    expect((await memberOf('both@example.com'))?.isShared).toBe(false)
    // What is done to the whole account counts, and is logged, at both.
    await endMemberSessions(admin, shared)
    await disableMember(admin, shared)
    await enableMember(admin, shared)
    const rows = await desk.db.select().from(activity).where(eq(activity.objectId, 'both@example.com'))
    const whole = ['user.sessions-ended', 'user.disabled', 'user.enabled']
    for (const connectionId of [defaultConnectionId, 'north'])
      expect(rows.filter((row) => row.connectionId === connectionId).map(({ action }) => action)).toEqual(
        connectionId === 'north' ? whole : ['user.role-changed', ...whole],
      )
    await desk.db.delete(memberships).where(eq(memberships.connectionId, 'north'))
  })
})

describe('one’s own sign-ins', () => {
  it('are listed with the one that asks, and the others ended', async () => {
    const { client } = await signedIn('steady@example.com')
    const other = await signedIn('steady@example.com')
    const { body } = await send(listSessions, 'GET', undefined, client)
    expect(body.sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).toSorted()).toEqual([false, true])
    const { body: left } = await send(endOthers, 'DELETE', undefined, client)
    expect(left.sessions).toHaveLength(1)
    expect(await desk.readSession(other.client)).toBeNull()
    expect(await desk.readSession(client)).not.toBeNull()
  })

  it('are twenty at most: one more ends the oldest (SE-25)', async () => {
    const first = await signedIn('steady@example.com')
    for (let count = 0; count < 20; count += 1) await desk.signIn('steady@example.com')
    expect(await desk.readSession(first.client)).toBeNull()
    const open = await desk.db.select().from(sessions).where(eq(sessions.userId, first.session.userId))
    expect(open.filter(({ endedAt }) => endedAt === null)).toHaveLength(20)
  })

  it('end with a changed password, but for the one that changed it; the old one is asked for (SE-07)', async () => {
    const id = await desk.addUser('changer@example.com', 'viewer')
    const link = await makeMemberLink(admin, id)
    const { client } = await signedIn('changer@example.com')
    const other = await signedIn('changer@example.com')
    const change = (current: string, password: string) => send(putPassword, 'PUT', { current, password }, client)
    expect(await change('wrong one', 'a new lantern of moss')).toMatchObject({ status: 403 })
    expect(await change(supporter.password, 'short')).toMatchObject({ status: 400 })
    const tooLong = { status: 400, body: { errors: { password: ['must have at most 128 characters'] } } }
    for (const length of [129, 1_025])
      expect(await change(supporter.password, 'lantern'.padEnd(length, ' moss'))).toMatchObject(tooLong)
    expect(await change('lantern'.repeat(200), 'a new lantern of moss')).toMatchObject({ status: 403 })
    expect(await change(supporter.password, ' a new lantern of moss ')).toMatchObject({ status: 200 })
    expect(await desk.readSession(client)).not.toBeNull()
    expect(await desk.readSession(other.client)).toBeNull()
    await expect(desk.signIn('changer@example.com')).rejects.toThrow('401')
    const [row] = await desk.db.select().from(users).where(eq(users.id, id))
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u)
    expect((await new AuthClient().signIn('changer@example.com', ' a new lantern of moss ')).status).toBe(200)
    // Nor does a link lead in that somebody made before.
    const spent = await send(acceptLink, 'PUT', { secret: secretOf(link), password: supporter.password })
    expect(spent.status).toBe(404)
  })

  it('and a password that is set are told to all merchants that somebody works for, and to no other', async () => {
    const email = 'several@example.com'
    const id = await desk.addUser(email, 'viewer')
    const places = { east: null, closed: new Date() }
    for (const [connectionId, removedAt] of Object.entries(places)) {
      await desk.db.insert(connections).values({ connectionId, name: connectionId, removedAt })
      await desk.db.insert(memberships).values({ connectionId, userId: id, role: 'viewer' })
    }
    const told = async (action: string) =>
      (
        await desk.db
          .select()
          .from(activity)
          .where(and(eq(activity.actor, email), eq(activity.action, action)))
      ).map(({ connectionId }) => connectionId)
    const { address } = await makePasswordLink(
      desk.db,
      { user: { id, email }, kind: 'reset', madeBy: 'boss@example.com' },
      new Date(),
    )
    const looked = await send(lookAtLink, 'POST', { secret: secretOf({ address }) })
    expect(looked.body).toEqual({ email, kind: 'reset', expiresAt: expect.any(String), madeBy: null, merchants: [] })
    const body = { secret: secretOf({ address }), password: 'a new lantern of moss' }
    expect((await send(acceptLink, 'PUT', body)).status).toBe(200)
    const client = new AuthClient()
    await client.signIn(email, 'a new lantern of moss')
    const session = await readSessionFrom(client.cookies.get(sessionCookie), new Date(), 'east')
    if (!session) throw new Error('not signed in')
    await changeOwnPassword(session, {
      current: 'a new lantern of moss',
      password: supporter.password,
      peer: '192.0.2.1',
    })
    expect(await told('user.password-set')).toEqual(['default', 'east'])
    expect(await told('user.password-changed')).toEqual(['default', 'east'])
  })
})
