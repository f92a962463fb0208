import { isNull, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { cancellations, connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { askFor } from '../testing/ledger-fixture'
import { makeDatabase } from '../testing/store-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from '../testing/payment-ledger-service'
import { makeActor, makeTestLedger, readRow, settleLedger } from '../testing/test-ledger'
import type { Ledger, Step } from './ledger'
import { recover, runPass } from './worker'
import { requestCancellation } from './request-cancellation'

const minute = 60_000
const lost = { effect: false, answer: { status: 500, headers: {}, body: '' } }
let postgres: TestPostgres
let service: PaymentLedgerService
/** Two processes have two pools. */
let stores: [OpenDatabase, OpenDatabase]

beforeAll(async () => {
  postgres = await startPostgres()
  service = await startPaymentLedgerService()
  const url = await makeDatabase(postgres.url)
  const open = () => openDatabase({ url, migrationsFolder: storeMigrations })
  const first = await open()
  await first.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  stores = [first, await open()]
})
afterEach(async () => {
  service.mend()
  await stores[0].db.update(cancellations).set({ closedAt: sql`now()` }).where(isNull(cancellations.closedAt))
})
afterAll(async () => {
  for (const store of stores) await store.close()
  await service.close()
  await postgres.stop()
})

/** Two desks on one Postgres; the second host's clocks are `ahead` of the first's. */
function makeDesks(ahead: number): [Ledger, Ledger] {
  const rules = { graceMs: 1_500, leaseMs: 20_000 }
  const make = (store: OpenDatabase) => makeTestLedger(store, service.url, { rules, parts: { isAlone: false } })
  const [one, other] = [make(stores[0]), make(stores[1])]
  const { now, wall, host } = other.clock
  const shift = (moment: Date) => new Date(moment.getTime() + ahead)
  const clock = {
    ...other.clock,
    now: () => shift(now()),
    wall: () => shift(wall()),
    host: () => shift(host()),
  }
  return [one, { ...other, clock }]
}

const apart = [
  ['16 s ahead', 16_000],
  ['35 s ahead', 35_000],
  ['15 min ahead', 15 * minute],
  ['30 min ahead', 30 * minute],
  ['30 min behind', -30 * minute],
] as const
/** A shift beyond the lease, and the largest. */
const furthest = apart.filter(([, ahead]) => ![16_000, 15 * minute].includes(ahead))

const deletesOf = (id: string) => service.deletes.filter(({ paymentId }) => paymentId === id)

test.each(furthest)('a desk %s keeps the grace that the other has begun', async (_, ahead) => {
  const [one, other] = makeDesks(ahead)
  const payment = service.add()
  service.next(payment, lost)
  const { cancellation } = await requestCancellation(one, makeActor(), askFor(payment))
  expect(await settleLedger(other, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 2 })
  const [first, second, ...more] = deletesOf(payment.id)
  expect(more).toEqual([])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(one.rules.graceMs)
})

test.each(apart)('a desk %s leaves a live sending alone, whatever it does, and calls nobody', async (_, ahead) => {
  const [one, other] = makeDesks(ahead)
  const payment = service.add()
  const seen: (string | null | undefined)[] = []
  const step = async (name: Step) => {
    if (name !== 'after-sending') return
    await recover(other)
    for (let pass = 0; pass < 3; pass += 1) await (await runPass(other)).work
    seen.push(deletesOf(payment.id)[0]?.idempotencyKey)
  }
  const { cancellation } = await requestCancellation({ ...one, step }, makeActor(), askFor(payment))
  expect(seen).toEqual([undefined])
  expect(cancellation.outcome).toBe('requested')
  expect(await settleLedger(other, cancellation.id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  expect(deletesOf(payment.id)).toHaveLength(1)
})

/** The store's time in whole milliseconds. */
async function readStoreTime(): Promise<number> {
  const at = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::float8`
  const [found] = await stores[0].db.select({ at }).from(sql`(select 1) as one`)
  return found?.at ?? 0
}

test.each(furthest)(
  'a desk %s asks for no person before the time is over, and orders by when it happened',
  async (_, ahead) => {
    const [one, other] = makeDesks(ahead)
    const payment = service.add()
    service.lists.answer = () => ({ status: 503, headers: {}, body: '' })
    service.next(payment, lost)
    const before = await readStoreTime()
    const { cancellation } = await requestCancellation(
      { ...other, rules: { ...other.rules, guardTimeoutMs: 50 } },
      makeActor(),
      { ...askFor(payment), unread: true },
    )
    await recover(one)
    for (const desk of [one, other, one]) await (await runPass(desk)).work
    const row = await readRow(one, cancellation.id)
    expect(row.state).toBe('unknown')
    const after = await readStoreTime()
    for (const at of [row.createdAt, row.undecidedSince]) {
      expect(at?.getTime()).toBeGreaterThanOrEqual(before)
      expect(at?.getTime()).toBeLessThanOrEqual(after)
    }
    const next = await requestCancellation({ ...one, rules: { ...one.rules, guardTimeoutMs: 50 } }, makeActor(), {
      ...askFor(service.add()),
      unread: true,
    })
    const later = await readRow(one, next.cancellation.id)
    expect(later.createdAt.getTime()).toBeGreaterThanOrEqual(after)
  },
)
