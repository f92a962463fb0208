import { openListCapabilities } from '../capabilities/list-capabilities'
import { getConnection } from '../connection'
import { describeError } from '../describe-error'
import { Failure } from '../failure'
import { log } from '../log'
import { getSettings } from '../settings'
import { getStore } from '../store/open-store'
import { keepPresence } from '../store/presence'
import { callUpstream } from '../upstream'
import type { Ledger } from './ledger'
import { makeLedgerClock } from './ledger-clock'
import { LedgerMemory } from './ledger-memory'
import { makeLedgerRules } from './ledger-rules'

declare global {
  /** By connection, and owner where each has a ledger of their own. Next loads this module once per module graph; what a process remembers is one. */
  var debitdeskLedgers: Map<string, LedgerMemory> | undefined
}

function getMemory(key: string): LedgerMemory {
  globalThis.debitdeskLedgers ??= new Map()
  const known = globalThis.debitdeskLedgers.get(key)
  if (known) return known
  const memory = new LedgerMemory()
  globalThis.debitdeskLedgers.set(key, memory)
  return memory
}

/** The ledger of a connection, or of one user's cancellations there, on the desk's own store. Throws Failure 'store-unavailable' or 'not-found'. */
export async function openLedger(connectionId: string, ownerId?: string): Promise<Ledger> {
  const connection = getConnection(connectionId)
  const store = await getStore().catch((cause: unknown) => {
    throw new Failure('store-unavailable', { retryAfter: 5 }, { cause })
  })
  return {
    db: store.db,
    isAlone: store.kind === 'pglite',
    connectionId,
    ownerId,
    call: (endpoint, call) => callUpstream(connection, endpoint, call),
    capabilities: openListCapabilities(store, connectionId, 'listPayments'),
    clock: makeLedgerClock(store.clock),
    rules: makeLedgerRules(connection.rules, getSettings().CANCEL_GRACE),
    velocity: getSettings().CANCEL_VELOCITY,
    memory: getMemory(ownerId === undefined ? connectionId : `${connectionId} ${ownerId}`),
    keepPresence: () => keepPresence(store),
    step: async () => undefined,
    report: (event, { error, ...facts }) =>
      log.warn({ event, ...facts, ...(error !== undefined && { error: describeError(error) }) }),
  }
}
