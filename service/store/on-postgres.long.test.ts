import { expect, test } from 'vitest'
import { runTestsOnPostgres } from '@/lib/database/testing/start-postgres'

/** Tests without a database or with their own, for which Postgres makes no difference. */
const without =
  'on-postgres,readme,secrets,logging,errors,business-days,parse-filter,parse-order,text-search,' +
  'callback-policy,outgoing-connections,races,retry-schedule'

test('every test of the service holds on Postgres 15 as well', async () => {
  expect(await runTestsOnPostgres('SERVICE_TEST_DATABASE_URL', ['service'], without)).toBeNull()
})
