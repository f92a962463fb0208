import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { GET as listExportsOf } from '@/app/api/desk/exports/route'
import { DELETE as removeRoute } from '@/app/api/desk/team/[userId]/route'
import { verifyChain } from '@/lib/server/activity-log/hash-chain'
import { merchantHeader } from '@/lib/server/auth/tenant-scope'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import type { Session } from '@/lib/server/auth/session'
import { activity, connections, memberships, sessions, users } from '@/lib/server/store/schema'
import { type AuthClient, AuthDesk, testOrigin } from '@/lib/server/testing/auth-fixture'
import { passwordLinks } from '@/lib/server/store/auth-schema'
import { removeMember } from '@/lib/server/team/commands'
import { makePasswordLink } from '@/lib/server/team/password-links'

const desk = new AuthDesk()
let boss: { client: AuthClient; session: Session }

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  Object.assign(process.env, { UPSTREAM_URL: 'http://127.0.0.1:9', UPSTREAM_TOKEN: 'a-token-for-tests' })
  await desk.addUser('boss@example.com', 'admin')
  await desk.db.insert(connections).values({ connectionId: 'west', name: 'West' })
})
beforeEach(async () => {
  const client = await desk.signIn('boss@example.com')
  const session = await desk.readSession(client)
  if (!session) throw new Error('not signed in')
  boss = { client, session }
})

/** A member of two merchants, the second not administered by this admin. */
async function addShared(email: string): Promise<{ userId: string; client: AuthClient }> {
  const userId = await desk.addUser(email, 'admin')
  await desk.db.insert(memberships).values({ connectionId: 'west', userId, role: 'viewer' })
  return { userId, client: await desk.signIn(email) }
}

async function send(handler: RouteHandler, method: string, client: AuthClient, merchant: string, params = {}) {
  const headers = {
    cookie: client.cookieHeader,
    origin: testOrigin,
    'x-debitdesk': '1',
    [merchantHeader]: merchant,
  }
  const request = new Request(`${testOrigin}/api/desk/x`, { method, headers })
  return (await handler(request, { params: Promise.resolve(params) })).status
}

describe('somebody who is taken out of a team', () => {
  it('is out at their next request, and goes on at their other merchants', async () => {
    const { userId, client } = await addShared('shared@example.com')
    expect(await send(listExportsOf, 'GET', client, 'default')).toBe(200)
    expect(await send(removeRoute, 'DELETE', boss.client, 'default', { userId })).toBe(200)
    expect(await send(listExportsOf, 'GET', client, 'default')).toBe(404)
    expect(await send(listExportsOf, 'GET', client, 'west')).toBe(200)
    const rows = await desk.db.select().from(activity).where(eq(activity.action, 'user.removed'))
    expect(rows).toMatchObject([
      {
        connectionId: 'default',
        actor: 'boss@example.com',
        objectId: 'shared@example.com',
        details: { role: 'admin' },
      },
    ])
    expect(await verifyChain(desk.db)).toMatchObject({ holds: true })
    expect(await send(removeRoute, 'DELETE', boss.client, 'default', { userId })).toBe(404)
  })

  it('is signed out where this was their only merchant; the account stays', async () => {
    const userId = await desk.addUser('only@example.com', 'support')
    const client = await desk.signIn('only@example.com')
    await removeMember(boss.session, userId)
    expect(await send(listExportsOf, 'GET', client, 'default')).toBe(401)
    const [user] = await desk.db.select().from(users).where(eq(users.id, userId))
    expect(user).toMatchObject({ disabledAt: null })
    const mine = await desk.db.select().from(sessions).where(eq(sessions.userId, userId))
    expect(mine.every(({ endedAt }) => endedAt !== null)).toBe(true)
  })

  it('is signed out too where their other merchants are gone, and holds no link any more', async () => {
    const { userId } = await addShared('gone@example.com')
    await makePasswordLink(
      desk.db,
      { user: { id: userId, email: 'gone@example.com' }, kind: 'reset', madeBy: 'x' },
      new Date(),
    )
    await desk.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, 'west'))
    await removeMember(boss.session, userId)
    await desk.db.update(connections).set({ removedAt: null }).where(eq(connections.connectionId, 'west'))
    expect(await desk.db.$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt)))).toBe(0)
    expect(
      await desk.db.$count(passwordLinks, and(eq(passwordLinks.userId, userId), isNull(passwordLinks.endedAt))),
    ).toBe(0)
  })

  it('is never the last admin, and never taken out by a viewer or without a recent password', async () => {
    await expect(removeMember(boss.session, boss.session.userId)).rejects.toMatchObject({ code: 'last-admin' })
    const { userId } = await addShared('other@example.com')
    await desk.addUser('looks@example.com', 'viewer')
    const viewer = await desk.signIn('looks@example.com')
    expect(await send(removeRoute, 'DELETE', viewer, 'default', { userId })).toBe(403)
    await desk.db.update(sessions).set({ provenAt: new Date(Date.now() - 6 * 60_000) })
    await expect(removeMember(boss.session, userId)).rejects.toMatchObject({ code: 'step-up' })
    expect(await desk.db.$count(memberships, eq(memberships.userId, userId))).toBe(2)
  })
})
