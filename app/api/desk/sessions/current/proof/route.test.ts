import { eq } from 'drizzle-orm'
import { beforeAll, expect, it, vi } from 'vitest'
import { POST as postProof } from './route'
import { verifyChain } from '@/lib/server/activity-log/hash-chain'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import type { Session } from '@/lib/server/auth/session'
import { activity, sessions, users } from '@/lib/server/store/schema'
import { type AuthClient, AuthDesk, supporter, testOrigin } from '@/lib/server/testing/auth-fixture'

const desk = new AuthDesk()
beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

const minutes = (count: number) => new Date(Date.now() + count * 60_000)

async function signIn(): Promise<{ client: AuthClient; session: Session }> {
  const client = await desk.signIn()
  const session = await desk.readSession(client)
  if (!session) throw new Error('not signed in')
  return { client, session }
}

async function prove(client: AuthClient, password: string): Promise<{ status: number; code: string }> {
  const request = new Request(`${testOrigin}/api/desk/sessions/current/proof`, {
    method: 'POST',
    headers: {
      cookie: client.cookieHeader,
      origin: testOrigin,
      'x-debitdesk': '1',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ password }),
  })
  const response = await postProof(request, { params: Promise.resolve(undefined) })
  const { type = '' } = await response.json()
  return { status: response.status, code: String(type).split('/').at(-1) ?? '' }
}

it('counts signing in as proof, for five minutes', async () => {
  const { session } = await signIn()
  await requireRecentPassword(session, minutes(4))
  await expect(requireRecentPassword(session, minutes(6))).rejects.toMatchObject({
    code: 'step-up',
    status: 403,
    evidence: { extensions: { proof: 'password' } },
  })
})

it('counts the password again, and writes down that it was given', async () => {
  const { client, session } = await signIn()
  await desk.db.update(sessions).set({ provenAt: minutes(-10) })
  await expect(requireRecentPassword(session)).rejects.toMatchObject({ code: 'step-up' })
  expect(await prove(client, supporter.password)).toMatchObject({ status: 200 })
  await requireRecentPassword(session)
  const actions = (await desk.db.select().from(activity)).map(({ action }) => action)
  expect(actions).toContain('session.proven')
  expect(await verifyChain(desk.db)).toMatchObject({ holds: true })
})

it('is not moved by a wrong password, which is refused as often as at a sign-in', async () => {
  const { client, session } = await signIn()
  await desk.db.update(sessions).set({ provenAt: minutes(-10) })
  for (let guess = 0; guess < 10; guess += 1) {
    // An overlong password is a wrong one like others.
    expect(await prove(client, guess === 0 ? 'lantern'.repeat(200) : 'not the password')).toEqual({
      status: 403,
      code: 'wrong-password',
    })
  }
  expect(await prove(client, supporter.password)).toEqual({ status: 429, code: 'too-many-attempts' })
  await expect(requireRecentPassword(session)).rejects.toMatchObject({ code: 'step-up' })
})

it('sends whoever has no password here to where the account comes from', async () => {
  const { session } = await signIn()
  const [user] = await desk.db.select().from(users).where(eq(users.id, session.userId))
  await desk.db.update(users).set({ passwordHash: null }).where(eq(users.id, session.userId))
  await expect(requireRecentPassword(session, minutes(6))).rejects.toMatchObject({
    evidence: { extensions: { proof: 'provider' } },
  })
  await desk.db
    .update(users)
    .set({ passwordHash: user?.passwordHash ?? null })
    .where(eq(users.id, session.userId))
})

it('holds for nobody whose session has ended', async () => {
  const { client, session } = await signIn()
  await client.signOut()
  await expect(requireRecentPassword(session)).rejects.toMatchObject({ code: 'step-up' })
})
