import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Overview } from '@/lib/domain/overview'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { createTenantScope } from '../auth/tenant-scope'
import { makeSession } from '../testing/store-fixture'
import { getConnection, setConnection } from '../upstream/connection'
import { getOverview, startOverviewCount } from './overview'

const viewer = makeSession('viewer')
let service: FaultService
let answer: (after: string | null) => Script

const row = (id: string) => ({ id, amount: 100, currency: 'DKK', test: false, status: 'Rejected' })
const json = (value: unknown): Script => ({ body: JSON.stringify(value) })

beforeAll(async () => {
  service = await startFaultService(({ path }) => answer(new URL(path, 'http://service').searchParams.get('after')))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
})
beforeEach(() => {
  service.requests.length = 0
  globalThis.debitdeskOverviews = undefined
})
afterAll(() => service.close())

async function count(): Promise<Overview> {
  const walk = startOverviewCount(viewer)
  while (walk.end === null) await walk.changed()
  return walk.read()
}

it('counts page after page to the end, and tells what it has on the way', async () => {
  answer = (after) =>
    after === null
      ? json({ results: [row('1'), row('2')], hasMore: true, nextOffset: 'two' })
      : json({ results: [row('3')], hasMore: false })
  const walk = startOverviewCount(viewer)
  expect(walk.read()).toMatchObject({ state: 'walking', counted: 0 })
  await walk.changed()
  expect(walk.read()).toMatchObject({ state: 'walking', counted: 2 })
  while (walk.end === null) await walk.changed()
  expect(walk.read()).toMatchObject({
    state: 'whole',
    why: null,
    counted: 3,
    figures: [{ rejected: { count: 3, sum: '300' } }],
  })
  expect(service.requests.map(({ path }) => path)).toEqual(['/Payments?limit=100', '/Payments?after=two&limit=100'])
})

it.each<[Overview['why'], (after: string | null) => Script]>([
  ['list', () => json({ results: [row('1')], hasMore: true })],
  ['list', () => json({ results: [row('1')] })],
  ['list', () => json({ results: [row('1')], hasMore: true, nextOffset: 'again' })],
  ['unreadable', () => json({ results: [row('1'), 7], hasMore: false })],
  [
    'list',
    (after) => json({ results: [row('1')], hasMore: after === null, nextOffset: after === null ? 'two' : null }),
  ],
  [
    'failed',
    (after) => (after === null ? json({ results: [row('1')], hasMore: true, nextOffset: '2' }) : { status: 500 }),
  ],
])('says that it was not all: %s', async (why, script) => {
  answer = script
  expect(await count()).toMatchObject({ state: 'incomplete', why, counted: 1 })
})

it('counts on after an entry that cannot be read, and then says that it was not all', async () => {
  answer = (after) =>
    after === null
      ? json({ results: [row('1'), 7], hasMore: true, nextOffset: 'two' })
      : json({ results: [row('2')], hasMore: false })
  expect(await count()).toMatchObject({ state: 'incomplete', why: 'unreadable', counted: 2 })
})

it('counts at most 20,000', async () => {
  answer = (after) => json({ results: [row(after ?? '0')], hasMore: true, nextOffset: String(Number(after ?? 0) + 1) })
  expect(await count()).toMatchObject({ state: 'incomplete', why: 'bound', counted: 200, bound: 20_000 })
})

it('is shared by those who look within a minute, and begun anew for those who ask', async () => {
  answer = () => json({ results: [], hasMore: false })
  const now = Date.now()
  const first = getOverview(viewer, false, now)
  expect(getOverview(viewer, true, now)).toBe(first)
  while (first.end === null) await first.changed()
  expect(getOverview(viewer, false, now + 59_000)).toBe(first)
  expect(getOverview(viewer, true, now + 6_000)).not.toBe(first)
  expect(getOverview(viewer, false, now + 70_000)).not.toBe(first)
})

it('is forgotten with the one before once nothing uses it, whoever looks at another', async () => {
  answer = () => json({ results: [], hasMore: false })
  const now = Date.now()
  const other = { ...viewer, scope: createTenantScope('m-other') }
  setConnection({ ...getConnection(viewer.scope.connectionId), connectionId: 'm-other' })
  const look = async (at: number) => {
    const count = getOverview(viewer, false, at)
    while (count.end === null) await count.changed()
    return count
  }
  const first = await look(now)
  const second = await look(now + 10 * 60_000)
  expect(second.lastWhole).toBe(first)
  getOverview(other, false, now + 16 * 60_000)
  expect(second.lastWhole).toBeNull()
  getOverview(other, false, now + 26 * 60_000)
  expect(globalThis.debitdeskOverviews?.size).toBe(1)
})

it('waits for a service that asks to slow down, as long as it says, tells so, and counts on', async () => {
  let isSlow = true
  answer = () =>
    isSlow ? { status: 429, headers: { 'retry-after': '1' }, body: '' } : json({ results: [row('1')], hasMore: false })
  const walk = startOverviewCount(viewer)
  expect(walk.read().resumesIn).toBeNull()
  await walk.changed()
  expect(walk.read()).toMatchObject({ state: 'walking', counted: 0, resumesIn: 1 })
  isSlow = false
  await walk.changed()
  expect(walk.read()).toMatchObject({ state: 'walking', resumesIn: null })
  while (walk.end === null) await walk.changed()
  expect(walk.read()).toMatchObject({ state: 'whole', counted: 1, resumesIn: null })
  answer = () => ({ status: 429, headers: { 'retry-after': '600' }, body: '' })
  expect(await count()).toMatchObject({ state: 'incomplete', why: 'failed', failure: 'upstream-slow-down' })
})
