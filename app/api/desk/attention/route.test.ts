import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { Role } from '@/lib/api-contract/permission'
import { createUser } from '@/lib/server/auth/users'
import { bulks } from '@/lib/server/store/bulk-schema'
import { cancellations, defaultConnectionId } from '@/lib/server/store/schema'
import { AuthClient, testOrigin } from '@/lib/server/testing/auth-fixture'
import { setMemoryStore } from '@/lib/server/testing/store-fixture'
import { GET } from './route'

const password = 'moss-covered lantern'
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

/** Reads as a new user of a role who has made lists of one and two payments. */
async function read(role: Role): Promise<Response> {
  const email = `${role}@example.com`
  const userId = await createUser(store.db, { email, password, role, connectionId: defaultConnectionId })
  const source = { kind: 'list' as const, name: null }
  const list = { connectionId: defaultConnectionId, userId, userEmail: email, source, state: 'ready' as const }
  await store.db.insert(bulks).values([1, 2].map((count) => ({ ...list, id: randomUUID(), count })))
  const visitor = new AuthClient()
  await visitor.signIn(email, password)
  return GET(new Request(`${testOrigin}/api/desk/attention`, { headers: { cookie: visitor.cookieHeader } }), {
    params: Promise.resolve({}),
  })
}

it.each([
  ['support', 200, { awaiting: [], unconfirmed: [{}, {}], requests: [], unknown: [] }],
  ['support-without-bulk', 200, { awaiting: null, unconfirmed: [{ count: 1 }], requests: [], unknown: [] }],
  ['viewer', 200, { awaiting: null, unconfirmed: [], requests: [], unknown: [] }],
  ['auditor', 403, {}],
] as const)('answers what waits for %s', async (role, status, body) => {
  const response = await read(role)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(body)
})

it('answers an unknown outcome that is newer than thousands of cancellations that are on their way', async () => {
  const begun = Date.parse('2026-11-20T09:00:00Z')
  const rows = Array.from({ length: 1_002 }, (_, index) => ({
    id: randomUUID(),
    connectionId: defaultConnectionId,
    paymentId: `p${index}`,
    clientKey: randomUUID(),
    userId: randomUUID(),
    userEmail: 'ann@example.com',
    reason: 'Twice',
    state: index > 1_000 ? ('unknown' as const) : ('intended' as const),
    createdAt: new Date(begun + index),
  }))
  await store.db.insert(cancellations).values(rows)
  expect(await (await read('admin')).json()).toMatchObject({ unknown: [{ paymentId: 'p1001', outcome: 'unknown' }] })
})
