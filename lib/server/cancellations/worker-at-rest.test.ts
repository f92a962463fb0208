import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { LedgerFixture } from '../testing/ledger-fixture'
import { runPass } from './worker'

let fixture: LedgerFixture

beforeAll(async () => {
  fixture = await LedgerFixture.start()
})

afterAll(() => fixture.close())

it('a pass that finds nothing to do looks and writes nothing', async () => {
  const readWrites = () => fixture.store.countWrites?.()
  const known: CapabilityProofs[] = [{}, { 'eq:id': true }]
  for (const proofs of known) {
    await fixture.ledger.capabilities.note(proofs)
    const before = readWrites()
    const { due, work } = await runPass(fixture.ledger)
    await work
    expect(due).toBe(0)
    expect(readWrites()).toBe(before)
  }
})
