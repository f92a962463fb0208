import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { connections, defaultConnectionId, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { testSecret } from '../testing/auth-fixture'
import { makeDatabase } from '../testing/store-fixture'
import { signInByProvider } from './openid-sign-in'

let postgres: TestPostgres
let desk: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = testSecret
  postgres = await startPostgres()
  desk = await openDatabase({ url: await makeDatabase(postgres.url), migrationsFolder: storeMigrations })
  globalThis.debitdeskStore = Promise.resolve(desk)
  await desk.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
})
afterAll(async () => {
  await desk.close()
  await postgres.stop()
})

it.each<[what: string, claims: object]>([
  ['whose address is known', { email: 'ann@example.com', email_verified: true }],
  ['without an address', {}],
])('somebody %s who signs in for the first time in two windows has one account', async (_, known) => {
  const claims = { iss: 'https://login.example', sub: JSON.stringify(known), ...known }
  const roles = new Map([[defaultConnectionId, 'support' as const]])
  const before = await desk.db.$count(users)
  // The first one ends once the second one has begun and waits for it.
  let go = () => undefined as void
  const isGoing = new Promise<void>((resolve) => (go = resolve))
  const arrive = (keep: () => Promise<void>) =>
    signInByProvider(desk.db, { claims, roles, peer: '192.0.2.1', previous: null }, new Date(), keep)
  const first = arrive(async () => {
    go()
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
  await isGoing
  const both = await Promise.all([first, arrive(async () => undefined)])
  const [one, other] = both.map((claimed) => (typeof claimed === 'string' ? claimed : claimed.sub))
  expect(one).toBe(other)
  expect(await desk.db.$count(users)).toBe(before + 1)
})
