import { sql as dsql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { runModel } from '../testing/model/run-model'
import { addMilliseconds, type Ledger } from './ledger'

/** model.long.test.ts runs 10,000; the faulty desks below are found sooner or later, mostly within 100. */
const sequences = 80

test(`${sequences} random sequences of what can happen leave every invariant whole (CX-34)`, {
  timeout: 600_000,
}, async () => {
  await expect(runModel(sequences)).resolves.toBeUndefined()
})

/** Resends blindly, whatever the reply was. */
const hasty = (ledger: Ledger): Ledger => ({
  ...ledger,
  call: async (endpoint, call) => {
    if (endpoint.id !== endpoints.cancelPayment.id) return ledger.call(endpoint, call)
    await ledger.call(endpoint, call).catch(() => undefined)
    return ledger.call(endpoint, call)
  },
})

/** Takes a cancelled payment for another final state. */
const forgetful = (ledger: Ledger): Ledger => ({
  ...ledger,
  rules: { ...ledger.rules, cancelled: [], final: ['cancelled'] },
})

/** Measures leases, graces and ages by the process's own clock. */
const selfish = (ledger: Ledger): Ledger => {
  const { now } = ledger.clock
  const sql = (milliseconds = 0) => dsql<Date>`${addMilliseconds(now(), milliseconds).toISOString()}::timestamptz`
  return { ...ledger, clock: { ...ledger.clock, store: { ...ledger.clock.store, sql, now } } }
}

/** Trusts only its own clocks, even after a suspension. */
const dreamy = (ledger: Ledger): Ledger => ({
  ...ledger,
  call: (endpoint, call) => ledger.call(endpoint, { ...call, confirm: undefined }),
})

test.each([
  ['sends twice', hasty, /sent again/u],
  ['keeps time by its own clock', selfish, /within the grace|a person was asked/u],
  ['does not ask the store before it sends', dreamy, /sent again/u],
  ['takes Cancelled for something else', forgetful, /I4: told Not cancelled/u],
])('a desk that %s is found out', { timeout: 600_000 }, async (_, spoil, word) => {
  await expect(runModel(2_000, spoil)).rejects.toThrow(word)
})
