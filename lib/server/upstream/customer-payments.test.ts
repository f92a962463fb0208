import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { writeProofRows } from './capability-store'
import { getConnection } from './connection'
import { readCustomerPayments } from './customer-payments'

const session = makeSession('support')
let service: FaultService
let store: OpenDatabase
let second: unknown[]

const row = (id: string) => ({ id, customer: { id: 'c1' } })

beforeAll(async () => {
  service = await startFaultService(({ path }) => ({
    body: JSON.stringify(
      path.includes('after=')
        ? { results: second, hasMore: false }
        : { results: [row('1'), row('2')], hasMore: true, nextOffset: 'two' },
    ),
  }))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
  const connection = getConnection(session.scope.connectionId)
  await writeProofRows(store.db, connection, 'listPayments', { 'eq:customer/id': true })
})
afterAll(async () => {
  globalThis.debitdeskConnections = undefined
  await service.close()
  await store.close()
  globalThis.debitdeskStore = undefined
})

it.each([
  ['all of them', [row('3')], 3, true],
  ['not all where one comes twice, as another may have been passed over', [row('2'), row('3')], 3, false],
  ['not all where one cannot be read', [row('3'), 7], 3, false],
])('a customer’s payments are %s', async (_, results, count, isComplete) => {
  second = results
  const read = await readCustomerPayments(session, 'c1')
  expect([read?.payments.length, read?.isComplete]).toEqual([count, isComplete])
})
