import { expect, test } from 'vitest'
import { runTestsOnPostgres } from '@/lib/database/testing/start-postgres'

/** Folders with tests of the store and its users; tests with their own database are excluded. */
const parts = [
  'cancellations',
  'store/id-key',
  'activity',
  'bulk',
  'imports',
  'team',
  'connections',
  'exports',
  'people',
  'reseal',
  'users',
  'throttle',
  'session',
]

/** Tests without a store, or with their own Postgres or folder, for which nothing would differ. */
const without = 'crash,nemesis,on-postgres,disk-full,canonical-json,classify-outcome,decide,pace,retry-delay'

const folders = ['app/hooks', ...parts.map((part) => `lib/server/${part}`)]

test('every test of the store holds on Postgres 15 as well', async () => {
  expect(await runTestsOnPostgres('STORE_TEST_DATABASE_URL', folders, without)).toBeNull()
})
