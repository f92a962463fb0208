import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { setMemoryStore } from '../testing/store-fixture'
import { startRetention, stopRetention } from './retention'
import { capabilities, defaultConnectionId } from './schema'

let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.NEXTAUTH_URL = 'http://127.0.0.1:3000'
  process.env.UPSTREAM_URL = 'http://127.0.0.1:9'
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
})
afterAll(() => store.close())

it('on PGlite a sweep reclaims the space of deleted and changed rows in every table', async () => {
  const { db } = store
  const proof = { connectionId: defaultConnectionId, endpointId: 'listPayments', proof: 'eq:status', holds: true }
  await db.insert(capabilities).values(proof)
  await db.delete(capabilities)
  startRetention()
  await stopRetention()
  const passedOver = await db
    .select({ table: sql<string>`relname` })
    .from(sql`pg_stat_user_tables`)
    .where(sql`schemaname = 'public' and last_vacuum is null`)
  expect(passedOver).toEqual([])
  const size = sql<number>`pg_relation_size('capabilities')::int`
  expect(await db.select({ size }).from(sql`(select 1) as one`)).toEqual([{ size: 0 }])
})
