import { expect, test } from 'vitest'
import { endpoints } from '@/lib/contract/endpoints'
import { storeServer } from '../testing/memory-store'
import { runModel } from '../testing/run-model'
import type { Ledger } from './ledger'

/** 10,000 are run by model.long.test.ts; the spoilt desks below are found out within 200. */
const sequences = storeServer === undefined ? 200 : 80

test(`${sequences} random sequences of what can happen leave every invariant whole (CX-34)`, {
  timeout: 600_000,
}, async () => {
  await expect(runModel(sequences)).resolves.toBeUndefined()
})

/** Sends blindly once more whatever came back. */
const hasty = (ledger: Ledger): Ledger => ({
  ...ledger,
  call: async (endpoint, call) => {
    if (endpoint.id !== endpoints.cancelPayment.id) return ledger.call(endpoint, call)
    await ledger.call(endpoint, call).catch(() => undefined)
    return ledger.call(endpoint, call)
  },
})

/** Takes what says that it is cancelled for another end. */
const forgetful = (ledger: Ledger): Ledger => ({
  ...ledger,
  rules: { ...ledger.rules, cancelled: [], final: ['cancelled'] },
})

test.each([
  ['sends twice', hasty, /I2: sent again/u],
  ['takes Cancelled for something else', forgetful, /I4: told Not cancelled/u],
])('a desk that %s is found out', async (_, spoil, word) => {
  await expect(runModel(200, spoil)).rejects.toThrow(word)
})
