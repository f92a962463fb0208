import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GET as askHealth } from '../health/route'
import { GET } from './route'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { startMerchantWorkers, stopMerchantWorkers } from '@/lib/server/runtime/merchant-workers'
import { checkReadiness } from '@/lib/server/runtime/readiness'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import { connections, defaultConnectionId } from '@/lib/server/store/schema'
import { storeMigrations } from '@/lib/server/store/store'
import { testOrigin } from '@/lib/server/testing/auth-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '@/lib/server/testing/payment-ledger-service'

let postgres: TestPostgres
let service: PaymentLedgerService
let proxy: PostgresProxy
let store: OpenDatabase
let judge: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  postgres = await startPostgres()
  service = await startPaymentLedgerService()
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = testOrigin
  proxy = await PostgresProxy.start(postgres.url)
  judge = await openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
  await judge.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  const timeouts = { connect: 3_000, answer: 3_000, statement: 2_500, lock: 2_500, idleInTransaction: 1_000 }
  store = await openDatabase({ url: proxy.url, migrationsFolder: storeMigrations, timeouts })
  globalThis.debitdeskStore = Promise.resolve(store)
  await startMerchantWorkers()
})
afterAll(async () => {
  proxy.pass()
  await stopMerchantWorkers()
  await store.close()
  await judge.close()
  await proxy.close()
  await service.close()
  await postgres.stop()
})

async function ask(handler: RouteHandler, path: string) {
  const response = await handler(new Request(`${testOrigin}${path}`), { params: Promise.resolve({}) })
  const told: Record<string, unknown> = await response.json()
  return { status: response.status, told, cache: response.headers.get('cache-control') }
}
const askReady = () => ask(GET, '/api/ready')
const codeOf = ({ status, told: { type } }: Awaited<ReturnType<typeof askReady>>) =>
  typeof type === 'string' ? `${status} ${type.split('/').at(-1)}` : String(status)
/** Polls until the condition holds; the last value is reported on failure. */
async function becomes(code: string): Promise<void> {
  await expect.poll(async () => codeOf(await askReady()), { timeout: 40_000, interval: 100 }).toBe(code)
}

/** Records each row written as a store probe, although none is left. */
const noteWrites = `
  create table written (id integer);
  create function note() returns trigger language plpgsql as
    $$ begin insert into written values (1); return new; end $$;
  create trigger note before update on desk_presence for each row execute function note()`

test('a desk that can write and works is ready; however many ask, one write is made', async () => {
  await becomes('200')
  expect(await askReady()).toEqual({
    status: 200,
    told: { status: 'ready' },
    cache: expect.stringContaining('no-store'),
  })
  await judge.db.execute(sql.raw(noteWrites))
  globalThis.debitdeskProbe = undefined
  await Promise.all(Array.from({ length: 200 }, askReady))
  const written = await judge.db.$count(sql`written`)
  // The workers write heartbeats too.
  expect([1, 2]).toContain(written)
})

test('a Postgres that has died silently makes it not ready, without details, and alive; it comes back by itself', async () => {
  await becomes('200')
  proxy.freeze()
  await becomes('503 store-unavailable')
  const { told, cache } = await askReady()
  expect(Object.keys(told).toSorted()).toEqual(['instance', 'retryAfter', 'status', 'title', 'type'])
  expect(cache).toContain('no-store')
  expect((await ask(askHealth, '/api/health')).status).toBe(200)
  const open = proxy.open
  await Promise.all(Array.from({ length: 200 }, askReady))
  expect(proxy.open).toBeLessThanOrEqual(open + 1)
  proxy.pass()
  await becomes('200')
})

test('a store that can only be read makes it not ready', async () => {
  await judge.db.execute(sql`alter database postgres set default_transaction_read_only = on`)
  proxy.reset()
  await becomes('503 store-unavailable')
  expect((await ask(askHealth, '/api/health')).status).toBe(200)
  // The role's own setting takes precedence in this session.
  await judge.db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read write`)
    await tx.execute(sql`alter database postgres reset default_transaction_read_only`)
  })
  proxy.reset()
  await becomes('200')
})

test('a worker that has finished no pass for two and a half minutes makes it not ready', async () => {
  await becomes('200')
  expect(await checkReadiness(performance.now() + 151_000)).toBe('worker-stopped')
  await becomes('200')
})

test('a desk that is stopping is not ready', async () => {
  globalThis.debitdeskStopping = true
  expect(codeOf(await askReady())).toBe('503 stopping')
  globalThis.debitdeskStopping = undefined
  await becomes('200')
})
