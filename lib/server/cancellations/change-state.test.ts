import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activity } from '../store/schema'
import { LedgerBench } from '../testing/ledger-bench'
import { readRow, settleLedger } from '../testing/settle-ledger'
import { changeState } from './change-state'
import type { CancellationRow } from './ledger'

let bench: LedgerBench

beforeAll(async () => {
  bench = await LedgerBench.start()
})

beforeEach(() => bench.reset())

afterAll(() => bench.close())

async function accept(): Promise<CancellationRow> {
  const { id } = await bench.cancel(bench.service.add())
  return readRow(bench.ledger, id)
}

async function countSteps({ paymentId }: CancellationRow): Promise<number> {
  return bench.store.db.$count(activity, eq(activity.objectId, paymentId))
}

test('what is closed stays as it was closed, for one who still believes it open', async () => {
  const open = await accept()
  const closed = await settleLedger(bench.ledger, open.id)
  const steps = await countSteps(open)
  expect(await changeState(bench.ledger, open, 'needs-person', {})).toBeNull()
  expect(await readRow(bench.ledger, open.id)).toEqual(closed)
  expect(await countSteps(open)).toBe(steps)
})

test('of two who decide differently at once, one is heard', async () => {
  const open = await accept()
  const steps = await countSteps(open)
  const ends = await Promise.all([
    changeState(bench.ledger, open, 'cancelled', {}),
    changeState(bench.ledger, open, 'not-cancelled', { outcomeReason: 'too-late' }),
  ])
  expect(ends.filter((end) => end !== null)).toHaveLength(1)
  expect(await countSteps(open)).toBe(steps + 1)
})

test('an arrow that the table does not have is refused', async () => {
  const open = await accept()
  await expect(changeState(bench.ledger, open, 'sending', {})).rejects.toThrow('accepted to sending')
  expect((await readRow(bench.ledger, open.id)).state).toBe('accepted')
})
