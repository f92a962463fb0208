import { afterAll, beforeAll, expect, it } from 'vitest'
import { LedgerBench } from '../testing/ledger-bench'
import { reconcile } from './reconcile'

let bench: LedgerBench

beforeAll(async () => {
  bench = await LedgerBench.start()
})

afterAll(() => bench.close())

it('a pass that finds nothing to do looks and writes nothing', async () => {
  const readWrites = () => bench.store.countWrites?.()
  for (const idFilter of ['untried', 'holds'] as const) {
    bench.ledger.memory.idFilter = idFilter
    const before = readWrites()
    const { due, work } = await reconcile(bench.ledger)
    await work
    expect(due).toBe(0)
    expect(readWrites()).toBe(before)
  }
})
