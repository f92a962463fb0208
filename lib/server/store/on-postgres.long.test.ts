import { expect, test } from 'vitest'
import { runTestsOnPostgres } from '@/lib/database/testing/start-postgres'

/** What is kept in the store, and what of the desk keeps it; those with a database of their own are left out. */
const parts = [
  'cancellations',
  'store/id-key',
  'activity',
  'bulk',
  'imports',
  'team',
  'connections',
  'exports',
  'reseal',
  'users',
  'throttle',
  'session',
]

/** Those that have no store, or bring a Postgres or a folder of their own: nothing would differ here. */
const without = 'crash,nemesis,on-postgres,disk-full,canonical-json,classify-outcome,decide,pace,retry-delay'

const folders = ['app/hooks', ...parts.map((part) => `lib/server/${part}`)]

test('every test of the store holds on Postgres 15 as well', async () => {
  expect(await runTestsOnPostgres('STORE_TEST_DATABASE_URL', folders, without)).toBeNull()
})
