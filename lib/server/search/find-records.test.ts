import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { usedCapabilities } from '@/lib/domain/lists/capabilities'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { writeProofRows } from '../upstream/capability-store'
import { getConnection } from '../upstream/connection'
import { findRecords } from './find-records'

const session = makeSession('viewer')
let service: FaultService
let store: OpenDatabase

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(() => ({ status: 500, body: '{}' }))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  store = await setMemoryStore()
})
afterAll(async () => {
  await service.close()
  await store.close()
})

it('tells a search that the provider doesn’t support from one that was not tried yet', async () => {
  const proofs = Object.fromEntries(usedCapabilities.listCustomers.map((capability) => [capability, false]))
  await writeProofRows(store.db, getConnection(session.scope.connectionId), 'listCustomers', proofs)
  expect(await findRecords(session, 'Nord kyst')).toMatchObject({ untried: ['Payments'], unsupported: ['Customers'] })
})
