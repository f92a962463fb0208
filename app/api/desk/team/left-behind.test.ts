import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, expect, it, vi } from 'vitest'
import { POST as makeApiToken } from '@/app/api/desk/tokens/route'
import { PUT as acceptLink } from '@/app/api/password-link/route'
import { GET as getFactors } from '@/app/api/second-factor/route'
import { POST as beginTotp, PUT as confirmTotp } from '@/app/api/second-factor/totp/route'
import type { Session } from '@/lib/server/auth/session'
import { apiTokens } from '@/lib/server/store/api-token-schema'
import { identities } from '@/lib/server/store/auth-schema'
import { authenticators, recoveryCodes } from '@/lib/server/store/factor-schema'
import { activity, connections, memberships, sessions, users } from '@/lib/server/store/schema'
import { inviteUser, makeMemberLink, removeMember } from '@/lib/server/team/commands'
import { listTeam } from '@/lib/server/team/queries'
import { AuthClient, AuthDesk, supporter } from '@/lib/server/testing/auth-fixture'
import { ask, codeOf } from '@/lib/server/testing/factor-fixture'

/* An account that works for no merchant any more, and what whoever had it before still holds of it. */

const desk = new AuthDesk()
let admin: Session

async function signedIn(email: string): Promise<Session> {
  const session = await desk.readSession(await desk.signIn(email))
  if (!session) throw new Error('not signed in')
  return session
}

const accept = (link: { address: string | null } | null, password: string) =>
  ask(new AuthClient(), acceptLink, 'PUT', { secret: link?.address?.split('#')[1] ?? '', password })

const memberOf = async (email: string) => (await listTeam(admin)).members.find((member) => member.email === email)

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await desk.addUser('boss@example.com', 'admin')
  admin = await signedIn('boss@example.com')
})

const theirs = 'the password of somebody else'

/** An admin of another merchant makes an account of this address, and all that signs in to it. */
async function takeAddress(email: string, connectionId: string) {
  await desk.db.insert(connections).values({ connectionId, name: connectionId })
  const malloryId = await desk.addUser(`mallory@${connectionId}.example`, 'admin')
  await desk.db.update(memberships).set({ connectionId }).where(eq(memberships.userId, malloryId))
  const mallory = await signedIn(`mallory@${connectionId}.example`)
  const { userId, link } = await inviteUser(mallory, { email, role: 'admin' })
  expect((await accept(link, theirs)).status).toBe(200)
  const client = new AuthClient()
  expect((await client.signIn(email, theirs)).status).toBe(200)
  const { authenticatorId, secret } = (await ask(client, beginTotp, 'POST')).body
  const added = await ask(client, confirmTotp, 'PUT', { authenticatorId, name: 'Phone', code: codeOf(secret) })
  expect(added.status).toBe(200)
  const made = await ask(client, makeApiToken, 'POST', { name: 'script', role: 'admin', days: 7 })
  expect(made.status).toBe(201)
  const kept = await makeMemberLink(mallory, userId)
  return { mallory, userId, client, kept }
}

async function expectNothingLeft(email: string, { userId, client, kept }: Awaited<ReturnType<typeof takeAddress>>) {
  expect((await new AuthClient().signIn(email, theirs)).status).toBe(401)
  expect((await accept(kept, theirs)).status).toBe(404)
  expect((await ask(client, getFactors, 'GET')).status).toBe(401)
  const mine = { id: authenticators.userId, codes: recoveryCodes.userId, tokens: apiTokens.userId }
  expect(await desk.db.$count(authenticators, eq(mine.id, userId))).toBe(0)
  expect(await desk.db.$count(recoveryCodes, eq(mine.codes, userId))).toBe(0)
  expect(await desk.db.$count(apiTokens, and(eq(mine.tokens, userId), isNull(apiTokens.revokedAt)))).toBe(0)
  expect(await desk.db.$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt)))).toBe(0)
}

async function expectOwnerIn(email: string, link: { address: string | null } | null) {
  const accepted = await accept(link, supporter.password)
  expect(accepted.status).toBe(200)
  expect(await signedIn(email)).toMatchObject({ role: 'viewer' })
}

it('is invited as a new one: its earlier password, sign-ins, links, factors and tokens count for nothing', async () => {
  const email = 'victim@example.com'
  const taken = await takeAddress(email, 'm-one')
  await removeMember(taken.mallory, taken.userId)
  const { userId, link } = await inviteUser(admin, { email, role: 'viewer' })
  expect(userId).toBe(taken.userId)
  await expectNothingLeft(email, taken)
  expect(await memberOf(email)).toMatchObject({ state: 'invited', hasFactor: false })
  const log = await desk.db.select().from(activity).where(eq(activity.objectId, email)).orderBy(activity.sequence)
  expect(log.slice(-2)).toMatchObject([
    { connectionId: 'default', actor: 'boss@example.com', action: 'user.access-reset' },
    { connectionId: 'default', actor: 'boss@example.com', action: 'user.invited' },
  ])
  await expectOwnerIn(email, link)
})

it('by a merchant that is gone is none of it either, and was closed for nobody else', async () => {
  const email = 'orphan@example.com'
  const taken = await takeAddress(email, 'm-two')
  await desk.db.update(users).set({ disabledAt: new Date(), demo: true }).where(eq(users.id, taken.userId))
  await desk.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, 'm-two'))
  const { link } = await inviteUser(admin, { email, role: 'viewer' })
  // Whoever was its admin could still be making a link.
  await expect(makeMemberLink(taken.mallory, taken.userId)).rejects.toMatchObject({ code: 'not-found' })
  await expectNothingLeft(email, taken)
  await expectOwnerIn(email, link)
  expect(await memberOf(email)).toMatchObject({ state: 'active', demo: false })
})

it('is left alone where somebody still administers it', async () => {
  const email = 'held@example.com'
  const taken = await takeAddress(email, 'm-three')
  await expect(inviteUser(admin, { email, role: 'viewer' })).rejects.toMatchObject({ code: 'shared-account' })
  expect((await new AuthClient().signIn(email, theirs)).status).toBe(200)
  expect(await desk.db.$count(authenticators, eq(authenticators.userId, taken.userId))).toBe(1)
})

it('of the OpenID provider, which lets its person in, needs no link; a password that it had is gone', async () => {
  const email = 'provided@example.com'
  const taken = await takeAddress(email, 'm-four')
  const identity = { issuer: 'https://login.example', subject: 'provided', userId: taken.userId }
  await desk.db.insert(identities).values(identity)
  await removeMember(taken.mallory, taken.userId)
  expect((await inviteUser(admin, { email, role: 'viewer' })).link).toBeNull()
  await expectNothingLeft(email, taken)
  expect(await memberOf(email)).toMatchObject({ state: 'provider' })
  const factor = {
    id: randomUUID(),
    userId: taken.userId,
    kind: 'passkey',
    name: 'Key',
    createdAt: new Date(),
  } as const
  await desk.db.insert(authenticators).values(factor)
  await removeMember(admin, taken.userId)
  expect((await inviteUser(admin, { email, role: 'viewer' })).link).toBeNull()
  expect(await desk.db.$count(authenticators, eq(authenticators.userId, taken.userId))).toBe(1)
})
