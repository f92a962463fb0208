import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { appendActivities } from '../activity-log/append'
import { verifyChain } from '../activity-log/hash-chain'
import { makeDatabase, openMemoryStore } from '../testing/store-fixture'
import { moveStore } from './move-store'
import { storeMigrations } from './store'

const million = 1_000_000
const batch = 5_000
const hour = 3_600_000
let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

test('a million rows of the activity log are moved to Postgres, and the chain holds there (ST-08)', {
  timeout: hour,
}, async () => {
  const source = await openMemoryStore()
  for (let done = 0; done < million; done += batch) {
    const entries = Array.from({ length: batch }, (_, index) => ({
      connectionId: 'default',
      actor: 'desk',
      action: 'cancellation.read',
      objectKind: 'payment',
      objectId: `payment-${done + index}`,
      details: { attempts: 1, read: { kind: 'found', status: 'Pending' } },
    }))
    await source.db.transaction((tx) => appendActivities(tx, entries))
  }
  const before = await verifyChain(source.db)
  const target = await openDatabase({
    url: await makeDatabase(postgres.url),
    migrationsFolder: storeMigrations,
    timeouts: longWork,
  })
  const sums = await moveStore(source.db, target.db)
  expect(sums.get('activity')).toContain(`${million} rows`)
  expect(before).toMatchObject({ holds: true, count: million })
  expect(await verifyChain(target.db)).toEqual(before)
  await source.close()
  await target.close()
})
