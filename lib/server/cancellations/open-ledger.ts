import { getConnection } from '../connection'
import { describeError } from '../describe-error'
import { Failure } from '../failure'
import { log } from '../log'
import { getSettings } from '../settings'
import { getStore } from '../store/open-store'
import { callUpstream } from '../upstream'
import type { Ledger } from './ledger'
import { ledgerClock } from './ledger-clock'
import { type LedgerMemory, makeLedgerMemory } from './ledger-memory'
import { makeLedgerRules } from './ledger-rules'

declare global {
  /** By connection. Next loads this module once per module graph; what a process remembers is one. */
  var debitdeskLedgers: Map<string, LedgerMemory> | undefined
}

function getMemory(connectionId: string): LedgerMemory {
  globalThis.debitdeskLedgers ??= new Map()
  const known = globalThis.debitdeskLedgers.get(connectionId)
  if (known) return known
  const memory = makeLedgerMemory()
  globalThis.debitdeskLedgers.set(connectionId, memory)
  return memory
}

/** The ledger of a connection, on the desk's own store. Throws Failure 'store-unavailable' or 'not-found'. */
export async function openLedger(connectionId: string): Promise<Ledger> {
  const connection = getConnection(connectionId)
  const { db, kind } = await getStore().catch((cause: unknown) => {
    throw new Failure('store-unavailable', { retryAfter: 5 }, { cause })
  })
  return {
    db,
    isAlone: kind === 'pglite',
    connectionId,
    call: (endpoint, call) => callUpstream(connection, endpoint, call),
    clock: ledgerClock,
    rules: makeLedgerRules(getSettings()),
    memory: getMemory(connectionId),
    step: async () => undefined,
    report: (event, { error, ...facts }) =>
      log.warn({ event, ...facts, ...(error !== undefined && { error: describeError(error) }) }),
  }
}
