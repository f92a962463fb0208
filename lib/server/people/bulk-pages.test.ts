import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { readBulkRows } from '../bulk-cancellations/result-rows'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations, defaultConnectionId } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { eraseKept } from './kept'
import { makePerson } from './person'

const name = 'Ann Holm'
const long = new Date('2026-01-01T00:00:00Z')
const owner = { connectionId: defaultConnectionId, userId: randomUUID(), userEmail: 'bo@example.com' }
const person = makePerson(defaultConnectionId, {
  customer: '',
  name,
  number: '',
  addressLine1: '',
  addressLine2: '',
  others: [],
  ids: [],
})

let store: OpenDatabase
beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

const facts = (payer: string) => ({ reference: null, payer, scheme: null, scheduleDate: null, test: false })

/** A bulk that ended long ago with two rows, the first of them with a cancellation. */
async function addBulk(changes: Partial<typeof bulks.$inferInsert>, payer: string, reason: string) {
  const id = randomUUID()
  const [bulk] = await store.db
    .insert(bulks)
    .values({ ...owner, id, source: { kind: 'list', name: null }, state: 'finished', ...changes })
    .returning()
  if (!bulk) throw new Error('no bulk was added')
  const cancellationId = randomUUID()
  await store.db.insert(cancellations).values({
    ...owner,
    id: cancellationId,
    paymentId: `${id} 0`,
    clientKey: randomUUID(),
    bulkId: id,
    reason,
    state: 'cancelled',
    stateSince: long,
    closedAt: long,
  })
  await store.db.insert(bulkRows).values(
    [0, 1].map((position) => ({
      bulkId: id,
      connectionId: defaultConnectionId,
      position,
      given: `${id} ${position}`,
      paymentId: `${id} ${position}`,
      verdict: 'cancellable' as const,
      facts: facts(position === 0 ? payer : 'Bo Bo'),
      cancellationId: position === 0 ? cancellationId : null,
    })),
  )
  return bulk
}

it('rows of ended bulks that an erasure changes are among those an open page reads again', async () => {
  const kept = [
    await addBulk({}, name, 'Paid twice'),
    await addBulk({}, 'Bo Bo', `Same household as ${name}`),
    await addBulk({}, 'Bo Bo', 'Paid twice'),
  ]
  const confirmed = { reason: null, reasons: { 1: `For ${name}` }, sessionId: randomUUID() }
  const declined = await addBulk({ state: 'declined', confirmed }, 'Bo Bo', 'Paid twice')
  const since = store.clock.now()
  const readAgain = async () => {
    const [first, second, third] = await Promise.all(
      kept.map(async (bulk) => (await readBulkRows(store, bulk, { from: 0, since })).rows),
    )
    return [first, second, third].map((rows) => rows?.map(({ facts: shown, reason }) => [shown?.payer, reason]))
  }
  expect(await readAgain()).toEqual([[], [], []])
  await eraseKept(store, person, { actor: 'admin@example.com', customerId: null, expected: null })
  expect(await readAgain()).toEqual([[['[erased]', 'Paid twice']], [['Bo Bo', 'Same household as [erased]']], []])
  const { rows } = await readBulkRows(store, declined, { from: 0, since })
  expect(rows.map(({ position }) => position)).toEqual([0, 1])
})
