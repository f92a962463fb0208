import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { capabilities } from '../store/schema'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { evaluate, filterableRows, order } from '../testing/filterable-rows'
import { makeSession, setMemoryStore } from '../testing/store-fixture'
import { getConnection } from '../upstream/connection'
import { countClosing } from './closing-count'

const viewer = makeSession('viewer')
/** A Friday; what closes is scheduled for Monday. */
const morning = Date.parse('2026-11-27T07:00:00Z')
const closing = filterableRows
  .filter(({ status }) => status === 'Pending')
  .slice(0, 4)
  .map((row) => ({ ...row, id: randomUUID(), scheduleDate: '2026-11-30T00:00:00Z' }))
let store: OpenDatabase
let service: FaultService
let isAble = true

beforeAll(async () => {
  store = await setMemoryStore()
  service = await startFaultService(({ path }) => {
    const { searchParams } = new URL(path, 'http://service')
    const [filter, by] = isAble ? [searchParams.get('filter'), searchParams.get('orderby')] : [null, null]
    const rows = [...filterableRows, ...closing].filter((row) => filter === null || evaluate(filter, row))
    return { body: JSON.stringify({ results: by === null ? rows : order(rows, by), hasMore: false }) }
  })
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
})

beforeEach(async () => {
  await store.db.delete(capabilities)
  globalThis.debitdeskProbes = undefined
  globalThis.debitdeskClosing = undefined
})

afterAll(async () => {
  globalThis.debitdeskConnections = undefined
  await service.close()
  await store.close()
  globalThis.debitdeskStore = undefined
})

it('is found out for a digest, after days on which nobody’s pages had the list probed', async () => {
  isAble = true
  expect(await countClosing(viewer, morning)).toEqual({ count: null, isComplete: false })
  expect(service.requests).toEqual([])
  expect(await countClosing(viewer, morning, true)).toEqual({ count: 4, isComplete: true })
})

it('counts states whose spelling nobody knows at a service that compares by case', async () => {
  isAble = true
  const connection = getConnection(viewer.scope.connectionId)
  const rules = { ...connection.rules, cancellable: ['pending', 'onhold'] }
  globalThis.debitdeskConnections?.set(connection.connectionId, { ...connection, rules })
  for (const row of closing.slice(0, 2)) row.status = 'OnHold'
  expect(await countClosing(viewer, morning, true)).toEqual({ count: 4, isComplete: true })
})

it('is unknown where the service filters by nothing', async () => {
  isAble = false
  expect(await countClosing(viewer, morning, true)).toEqual({ count: null, isComplete: false })
})
