import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { makeSession } from '../testing/store-fixture'
import { activityFilterQuery } from './schema'
import { listActivity, streamActivity } from './queries'

const million = 1_000_000
const hour = 3_600_000
const megabyte = 1_048_576
/** Rows a page may read: its own, and those in between if a filter matches one in twenty. */
const mostRead = 5_000

let folder: string
let store: OpenDatabase

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'activity-'))
  store = await openDatabase({ folder, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  // Without the hash chain, which this test does not read: a thousand users, one refusal in a thousand rows.
  for (let from = 0; from < million; from += 100_000)
    await store.db.execute(sql`
      insert into activity
      select n, ${defaultConnectionId}, timestamptz '2026-01-01' + n * interval '20 seconds',
        'person-' || (n % 1000) || '@example.com',
        case when n % 1000 = 0 then 'sign-in.refused' when n % 2 = 0 then 'cancellation.accepted' else 'customer.update' end,
        case when n % 1000 = 0 then 'session' when n % 2 = 0 then 'payment' else 'customer' end,
        'object-' || (n % 50000), jsonb_build_object('outcome', case when n % 1000 = 0 then 'refused' else 'done' end),
        '', ''
      from generate_series(${from + 1}::int, ${from + 100_000}::int) as n`)
  await store.db.execute(sql`analyze activity`)
}, hour)
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** Rows of the table read so far, by any plan. */
async function countRead(): Promise<number> {
  await store.db.execute(sql`select pg_stat_force_next_flush()`)
  const answer = await store.db.execute(
    sql`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'activity'`,
  )
  return Number(Object(answer).rows[0].read)
}

it.each([
  [{}, 50],
  [{ person: 'person-17@' }, 50],
  [{ person: 'nobody' }, 0],
  [{ kind: 'session' }, 50],
  [{ kind: 'setting' }, 0],
  [{ action: 'sign-in.refused' }, 50],
  [{ outcome: 'refused' }, 50],
  [{ from: '2026-02-01', to: '2026-02-01' }, 50],
  [{ object: ['object-49999'] }, 20],
  [{ person: 'person-0@', kind: 'session', outcome: 'refused' }, 50],
] as const)('a page of a million rows costs its own rows, filtered by %j (AU-07)', async (given, count) => {
  // Day filters read from the newest row on: the order is by sequence, as a clock may have been set back.
  const most = 'from' in given ? million : mostRead
  const query = activityFilterQuery.parse(given)
  const before = await countRead()
  const { results } = await listActivity(store.db, makeSession('admin'), { query })
  expect(results).toHaveLength(count)
  await listActivity(store.db, makeSession('viewer'), { query })
  expect((await countRead()) - before).toBeLessThan(2 * most)
})

it('a million rows are exported whole, in order, in flat memory (AU-07)', { timeout: hour }, async () => {
  const held: number[] = []
  let lines = 0
  let bytes = 0
  for await (const chunk of streamActivity(store.db, makeSession('admin'), {}, 'comma')) {
    const before = lines
    for (const byte of chunk) if (byte === 10) lines += 1
    bytes += chunk.length
    if (Math.floor(lines / 100_000) === Math.floor(before / 100_000)) continue
    collect()
    const { heapUsed, external } = process.memoryUsage()
    held.push((heapUsed + external) / megabyte)
  }
  expect(lines).toBe(million + 1)
  expect(bytes).toBeGreaterThan(100 * megabyte)
  const [first = 0] = held
  expect(Math.max(...held) - first).toBeLessThan(64)
})
