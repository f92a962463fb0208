import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Proofs } from '@/lib/contract/ability'
import { LedgerBench } from '../testing/ledger-bench'
import { reconcile } from './reconcile'

let bench: LedgerBench

beforeAll(async () => {
  bench = await LedgerBench.start()
})

afterAll(() => bench.close())

it('a pass that finds nothing to do looks and writes nothing', async () => {
  const readWrites = () => bench.store.countWrites?.()
  const known: Proofs[] = [{}, { 'eq:id': true }]
  for (const proofs of known) {
    await bench.ledger.capabilities.note(proofs)
    const before = readWrites()
    const { due, work } = await reconcile(bench.ledger)
    await work
    expect(due).toBe(0)
    expect(readWrites()).toBe(before)
  }
})
