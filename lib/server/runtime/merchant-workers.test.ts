import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { cancellations, defaultConnectionId } from '../store/schema'
import { setMemoryStore } from '../testing/store-fixture'
import { markInFlightUnknown, startMerchantWorkers, stopMerchantWorkers } from './merchant-workers'
import { LedgerMemory } from '../cancellations/ledger-memory'

let store: OpenDatabase

beforeAll(async () => {
  process.env.UPSTREAM_URL = 'http://127.0.0.1:9'
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
})
afterAll(async () => {
  await store.close()
  globalThis.debitdeskStore = undefined
  globalThis.debitdeskLedgers = undefined
})

test('a process that was told to stop while they start looks for no further merchants', async () => {
  globalThis.debitdeskStopping = true
  await startMerchantWorkers()
  globalThis.debitdeskStopping = undefined
  expect(globalThis.debitdeskCancellationWatch).toBeUndefined()
  await stopMerchantWorkers()
})

test('what this process was sending is given up, though a merchant was removed in it', async () => {
  const memory = new LedgerMemory()
  // The removed one comes first: it must not block the others.
  globalThis.debitdeskLedgers = new Map([
    ['m-removed', new LedgerMemory()],
    [defaultConnectionId, memory],
  ])
  await store.db.insert(cancellations).values({
    id: randomUUID(),
    connectionId: defaultConnectionId,
    paymentId: randomUUID(),
    clientKey: randomUUID(),
    userId: randomUUID(),
    userEmail: 'support@debitdesk.example',
    reason: 'Ordered twice',
    state: 'sending',
    attempts: 1,
    leaseHolder: memory.holder,
  })
  await markInFlightUnknown()
  expect(await store.db.select().from(cancellations)).toMatchObject([{ state: 'unknown' }])
})
