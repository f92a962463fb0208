import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { LedgerFixture } from '../testing/ledger-fixture'
import { runPass } from './worker'

let bench: LedgerFixture

beforeAll(async () => {
  bench = await LedgerFixture.start()
})

afterAll(() => bench.close())

it('a pass that finds nothing to do looks and writes nothing', async () => {
  const readWrites = () => bench.store.countWrites?.()
  const known: CapabilityProofs[] = [{}, { 'eq:id': true }]
  for (const proofs of known) {
    await bench.ledger.capabilities.note(proofs)
    const before = readWrites()
    const { due, work } = await runPass(bench.ledger)
    await work
    expect(due).toBe(0)
    expect(readWrites()).toBe(before)
  }
})
