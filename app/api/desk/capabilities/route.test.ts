import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { createUser } from '@/lib/server/auth/users'
import { defaultConnectionId } from '@/lib/server/store/schema'
import { AuthClient, testOrigin } from '@/lib/server/testing/auth-fixture'
import { setMemoryStore } from '@/lib/server/testing/store-fixture'
import { POST } from './route'

const account = { email: 'anna@example.com', password: 'moss-covered lantern' }
let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.UPSTREAM_URL = 'http://127.0.0.1:9'
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  store = await setMemoryStore()
})
afterAll(() => store.close())

it('refuses an ability that the store can’t hold', async () => {
  await createUser(store.db, { ...account, role: 'viewer', connectionId: defaultConnectionId })
  const visitor = new AuthClient()
  await visitor.signIn(account.email, account.password)
  const headers = {
    origin: testOrigin,
    'x-debitdesk': '1',
    'content-type': 'application/json',
    cookie: visitor.cookieHeader,
  }
  const body = JSON.stringify({ list: 'listPayments', abilities: ['eq:status', 'eq:\0'] })
  const request = new Request(`${testOrigin}/api/desk/capabilities`, { method: 'POST', headers, body })
  const response = await POST(request, { params: Promise.resolve({}) })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: { 'abilities.1': [expect.stringContaining('invisible')] } })
})
