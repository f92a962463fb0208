import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { GET as look, POST as stay } from './route'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import { memberships, sessions } from '@/lib/server/store/schema'
import { type AuthClient, AuthDesk, testOrigin } from '@/lib/server/testing/auth-fixture'

const desk = new AuthDesk()

async function ask(handler: RouteHandler, method: string, client: AuthClient, headers: Record<string, string> = {}) {
  const own = { cookie: client.cookieHeader, origin: testOrigin, 'x-debitdesk': '1' }
  const request = new Request(`${testOrigin}/api/desk/sessions/current`, { method, headers: { ...own, ...headers } })
  const response = await handler(request, { params: Promise.resolve(undefined) })
  return { status: response.status, body: await response.json() }
}

/** A user whose last request was `minutes` ago. */
async function unseenFor(minutes: number) {
  const client = await desk.signIn()
  const session = await desk.readSession(client)
  if (!session) throw new Error('not signed in')
  const lastSeenAt = new Date(Date.now() - minutes * 60_000)
  await desk.db.update(sessions).set({ lastSeenAt }).where(eq(sessions.id, session.sessionId))
  return { client, session }
}

it('tells how long a session holds, and a quiet look prolongs nothing (SE-08)', async () => {
  const { client } = await unseenFor(28)
  for (let looks = 0; looks < 2; looks += 1) {
    const { body } = await ask(look, 'GET', client, { 'x-debitdesk-quiet': '1' })
    expect(body.idleLeft).toBeGreaterThan(100)
    expect(body.idleLeft).toBeLessThanOrEqual(120)
    expect(body.left).toBeGreaterThan(11 * 3_600)
  }
  expect((await ask(stay, 'POST', client)).body.idleLeft).toBeGreaterThan(1_790)
})

it('tells the role of the caller, as it is now', async () => {
  const { client, session } = await unseenFor(1)
  expect((await ask(look, 'GET', client)).body.role).toBe(session.role)
  await desk.db.update(memberships).set({ role: 'auditor' }).where(eq(memberships.userId, session.userId))
  expect((await ask(look, 'GET', client)).body.role).toBe('auditor')
  await desk.db.update(memberships).set({ role: session.role }).where(eq(memberships.userId, session.userId))
})

it('ends a session that is only looked at quietly', async () => {
  const { client } = await unseenFor(31)
  expect((await ask(look, 'GET', client, { 'x-debitdesk-quiet': '1' })).status).toBe(401)
  expect((await ask(stay, 'POST', client)).status).toBe(401)
})

it('does nothing in the name of somebody who has signed in since', async () => {
  const { client, session } = await unseenFor(1)
  expect((await ask(stay, 'POST', client, { 'x-debitdesk-user': session.userId })).status).toBe(200)
  const other = await ask(stay, 'POST', client, { 'x-debitdesk-user': crypto.randomUUID() })
  expect(other).toMatchObject({ status: 409, body: { type: expect.stringContaining('another-user') } })
})
