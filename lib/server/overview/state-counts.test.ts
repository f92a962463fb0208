import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { LedgerFixture } from '../testing/ledger-fixture'
import { makeSession } from '../testing/store-fixture'
import { settleLedger } from '../testing/test-ledger'
import * as stateCounts from './state-counts'

const viewer = makeSession('viewer')
const MINUTE_MS = 60_000
let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
  globalThis.debitdeskStore = Promise.resolve(fixture.store)
  process.env.UPSTREAM_URL = fixture.service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
})

beforeEach(() => {
  fixture.reset()
  fixture.service.requests.length = 0
  globalThis.debitdeskOverviews = undefined
})

afterAll(() => fixture.close())

/** What a count of the service's payments says now. */
function count(): Record<string, number> {
  const states = [...fixture.service.payments.values()].map(({ status }) => status.toLowerCase())
  return Object.fromEntries(states.map((state) => [state, states.filter((one) => one === state).length]))
}

const findStateCounts = async (...given: Parameters<typeof stateCounts.findStateCounts>) =>
  (await stateCounts.findStateCounts(...given))?.states ?? null
const readStateCounts = async (...given: Parameters<typeof stateCounts.readStateCounts>) =>
  (await stateCounts.readStateCounts(...given))?.states ?? null

const countReads = () => fixture.service.requests.filter(({ method }) => method === 'GET').length

async function cancel(payment: ReturnType<typeof fixture.service.add>): Promise<void> {
  const { id } = await fixture.cancel(payment)
  await settleLedger(fixture.ledger, id)
}

it('are counted for who asks, and then known to all for a while', async () => {
  fixture.service.add()
  expect(await findStateCounts(viewer)).toBeNull()
  expect(countReads()).toBe(0)
  expect(await readStateCounts(viewer, false)).toEqual(count())
  expect(await findStateCounts(viewer)).toEqual(count())
  expect(await findStateCounts(viewer, Date.now() + 16 * MINUTE_MS)).toBeNull()
  const { asOf = '' } = (await stateCounts.findStateCounts(viewer)) ?? {}
  expect(Math.abs(Date.parse(asOf) - Date.now())).toBeLessThan(MINUTE_MS)
})

it('know at once what this desk has cancelled, without another walk', async () => {
  const [first, second] = [fixture.service.add(), fixture.service.add()]
  await cancel(first)
  const before = await readStateCounts(viewer, false)
  expect(before).toEqual(count())
  await cancel(second)
  const reads = countReads()
  expect(count()).not.toEqual(before)
  expect(await findStateCounts(viewer)).toEqual(count())
  expect(await readStateCounts(viewer, false)).toEqual(count())
  expect(countReads()).toBe(reads)
})

it('are without a payment that was not counted, whatever becomes of it', async () => {
  const before = await readStateCounts(viewer, false)
  expect(before).toEqual(count())
  await cancel(fixture.service.add())
  expect(await findStateCounts(viewer)).toEqual(before)
})

it('are those of the count before while the next is made, and where that cannot be made', async () => {
  fixture.service.add()
  const before = count()
  await readStateCounts(viewer, true)
  fixture.service.lists.container = (container) => ({ ...container, hasMore: true, nextOffset: null })
  const next = readStateCounts(viewer, true, Date.now() + 6 * MINUTE_MS)
  expect(await findStateCounts(viewer, Date.now() + 6 * MINUTE_MS)).toEqual(before)
  expect(await next).toEqual(before)
  expect(await findStateCounts(viewer, Date.now() + 7 * MINUTE_MS)).toEqual(before)
  expect(await findStateCounts(viewer, Date.now() + 16 * MINUTE_MS)).toBeNull()
})

it('are counted anew at most every five minutes', async () => {
  const before = count()
  await readStateCounts(viewer, true)
  fixture.service.add()
  expect(await readStateCounts(viewer, true)).toEqual(before)
  expect(await readStateCounts(viewer, false, Date.now() + 2 * MINUTE_MS)).toEqual(before)
  expect(await readStateCounts(viewer, true, Date.now() + 6 * MINUTE_MS)).toEqual(count())
})

it('are not counted for each opened page where the list could not be counted whole', async () => {
  fixture.service.lists.container = (container) => ({ ...container, hasMore: true, nextOffset: null })
  expect(await readStateCounts(viewer, true)).toBeNull()
  expect(await readStateCounts(viewer, true, Date.now() + 2 * MINUTE_MS)).toBeNull()
  expect(countReads()).toBe(1)
  await readStateCounts(viewer, true, Date.now() + 16 * MINUTE_MS)
  expect(countReads()).toBe(2)
})
