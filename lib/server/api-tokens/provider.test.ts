import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { identities } from '../store/auth-schema'
import { keepSession, makeSession, setMemoryStore } from '../testing/store-fixture'
import { readTokenSession } from './authenticate'
import { makeToken } from './commands'
import { listOwnTokens } from './queries'

/* Where an OpenID provider decides who comes in, and with UPSTREAM_AUTH=session also what is asked of the service. */

let store: OpenDatabase
const request = { name: 'nightly', role: 'viewer', days: 30 } as const

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  Object.assign(process.env, {
    UPSTREAM_URL: 'http://127.0.0.1:9',
    UPSTREAM_AUTH: 'session',
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'a secret of the client',
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
  })
  store = await setMemoryStore()
})
afterAll(() => store.close())

it('no token is made or accepted where each person’s own sign-in is sent on, and both say why', async () => {
  const session = makeSession('viewer')
  await keepSession(store.db, session)
  expect(await listOwnTokens(store.db, session)).toMatchObject({ isImpossible: true })
  const why = { evidence: { detail: expect.stringContaining('each person’s own sign-in') } }
  await expect(makeToken(store.db, session, request)).rejects.toMatchObject({ code: 'not-possible', ...why })
  const headers = { authorization: `Bearer dd_${'0'.repeat(12)}_${'x'.repeat(43)}` }
  const asked = new Request('http://127.0.0.1:3000/api/service/Payments', { headers })
  await expect(readTokenSession(asked)).rejects.toMatchObject({ code: 'token-invalid', ...why })
})

it('an account of the provider gets tokens of thirty days at most', async () => {
  const [provided, own] = [makeSession('viewer'), makeSession('support')]
  for (const session of [provided, own])
    await keepSession(store.db, { ...session, email: `${session.userId}@example.com` })
  await store.db.insert(identities).values({ issuer: 'https://login.example', subject: 'x', userId: provided.userId })
  expect((await listOwnTokens(store.db, provided)).lifetimes).toEqual([7, 30])
  expect((await listOwnTokens(store.db, own)).lifetimes).toEqual([7, 30, 90, 365])
})
