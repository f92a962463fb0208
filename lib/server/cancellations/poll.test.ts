import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancellations } from '../store/schema'
import { LedgerFixture } from '../testing/ledger-fixture'
import { readRow, shiftClock } from '../testing/test-ledger'
import { isNotQueuedInBulk } from './leases'
import type { CancellationRow, Ledger } from './ledger'
import { runPass } from './worker'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

/** Accepted cancellations of meanwhile cancelled payments, and a ledger by whose clock they are due. */
async function accept(count: number): Promise<{ rows: CancellationRow[]; later: Ledger }> {
  const rows: CancellationRow[] = []
  for (let each = 0; each < count; each += 1) {
    const { id } = await fixture.cancel(fixture.service.add())
    rows.push(await readRow(fixture.ledger, id))
  }
  fixture.service.requests.length = 0
  return { rows, later: shiftClock(fixture.ledger, 60_000) }
}

async function readAll(ledger: Ledger, rows: readonly CancellationRow[]): Promise<string[]> {
  for (let pass = 0; pass < 20; pass += 1) {
    await (await runPass(ledger)).work
    const states = await Promise.all(rows.map(async ({ id }) => (await readRow(ledger, id)).state))
    if (states.every((state) => state !== 'accepted')) return states
  }
  throw new Error('they were not read')
}

const countReads = () => fixture.service.requests.filter(({ method }) => method === 'GET').length

test('where a filter by several ids is honoured, twenty-five are read by one request', async () => {
  const { rows, later } = await accept(30)
  expect(new Set(await readAll(later, rows))).toEqual(new Set(['cancelled']))
  expect(countReads()).toBe(2)
})

test('where it is not, they are read one by one', async () => {
  const { rows, later } = await accept(3)
  await later.capabilities.note({ 'eq:ids': false })
  expect(await readAll(later, rows)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(countReads()).toBe(3)
})

test('one that the reply leaves out keeps no other waiting', async () => {
  const { rows, later } = await accept(3)
  const [missing, ...others] = rows
  fixture.service.lists.show = (payment) => (payment.id === missing?.paymentId ? null : payment)
  expect(await readAll(later, others)).toEqual(['cancelled', 'cancelled'])
  expect((await readRow(later, missing?.id ?? '')).state).toBe('accepted')
})

test('thousands that stand in line in a bulk are not looked through', async () => {
  const { db } = fixture.store
  const open = and(eq(cancellations.connectionId, 'one'), isNull(cancellations.closedAt), isNotQueuedInBulk)
  await db.execute(sql`set enable_seqscan = off`)
  const plan = await db.execute(sql`explain ${db.select().from(cancellations).where(open)}`)
  expect(JSON.stringify(plan)).toContain('cancellations_to_tend')
})
