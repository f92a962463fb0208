import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyChain } from '../activity-log/hash-chain'
import { activity, cancellations } from '../store/schema'
import { LedgerFixture } from '../testing/ledger-fixture'
import { readRow, settleLedger } from '../testing/test-ledger'
import { changeState } from './change-state'
import type { CancellationRow } from './ledger'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

beforeEach(() => fixture.reset())

afterAll(() => fixture.close())

async function accept(): Promise<CancellationRow> {
  const { id } = await fixture.cancel(fixture.service.add())
  return readRow(fixture.ledger, id)
}

async function countSteps({ paymentId }: CancellationRow): Promise<number> {
  return fixture.store.db.$count(activity, eq(activity.objectId, paymentId))
}

test('what is closed stays as it was closed, for one who still believes it open', async () => {
  const open = await accept()
  const closed = await settleLedger(fixture.ledger, open.id)
  const steps = await countSteps(open)
  expect(await changeState(fixture.ledger, open, 'needs-person', {})).toBeNull()
  expect(await readRow(fixture.ledger, open.id)).toEqual(closed)
  expect(await countSteps(open)).toBe(steps)
})

test('of two who decide differently at once, one is heard', async () => {
  const open = await accept()
  const steps = await countSteps(open)
  const ends = await Promise.all([
    changeState(fixture.ledger, open, 'cancelled', {}),
    changeState(fixture.ledger, open, 'not-cancelled', { outcomeReason: 'too-late' }),
  ])
  expect(ends.filter((end) => end !== null)).toHaveLength(1)
  expect(await countSteps(open)).toBe(steps + 1)
})

test('an arrow that the table does not have is refused', async () => {
  const open = await accept()
  await expect(changeState(fixture.ledger, open, 'sending', {})).rejects.toMatchObject({
    code: 'internal',
    cause: { message: expect.stringContaining('accepted to sending') },
  })
  expect((await readRow(fixture.ledger, open.id)).state).toBe('accepted')
})

test('changes that come at once share transactions, and one that cannot be made keeps no other', async () => {
  const open = await Promise.all([accept(), accept(), accept(), accept()])
  let transactions = 0
  const transaction: typeof fixture.ledger.db.transaction = (work, config) => {
    transactions += 1
    return fixture.store.db.transaction(work, config)
  }
  const db = new Proxy(fixture.store.db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
  const end = (row: CancellationRow, detail: string) =>
    changeState({ ...fixture.ledger, db }, row, 'needs-person', { detail })
  await Promise.all(open.map((row) => end(row, 'all')))
  expect(transactions).toBe(1)

  const more = await Promise.all([accept(), accept(), accept(), accept()])
  // Postgres rejects NUL.
  const ends = await Promise.allSettled(more.map((row, index) => end(row, index === 2 ? 'a\0b' : 'sound')))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const rows = await Promise.all([...open, ...more].map(({ id }) => readRow(fixture.ledger, id)))
  const detail = rows.map((row) => (row.closedAt ? row.detail : null))
  expect(detail).toEqual(['all', 'all', 'all', 'all', 'sound', 'sound', null, 'sound'])
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('what is late of one request changes nothing of the next one, which has as many attempts', async () => {
  const open = await accept()
  const mark = async (sentAt: Date) => {
    const sending = { state: 'sending' as const, attempts: 1, sentAt, closedAt: null }
    await fixture.store.db.update(cancellations).set(sending).where(eq(cancellations.id, open.id))
    return readRow(fixture.ledger, open.id)
  }
  const first = await mark(new Date('2026-11-01T10:00:00Z'))
  const second = await mark(new Date('2026-11-01T10:00:05Z'))
  expect(await changeState(fixture.ledger, first, 'waiting', { attempts: 0 })).toBeNull()
  expect(await changeState(fixture.ledger, second, 'accepted', {})).toMatchObject({ state: 'accepted' })
})
