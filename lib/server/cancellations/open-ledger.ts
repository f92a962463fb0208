import { openListCapabilities } from '../upstream/capability-store'
import { getConnection } from '../upstream/connection'
import { describeError, log } from '../runtime/log'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { defaultConnectionId } from '../store/schema'
import { getStore } from '../store/store'
import { keepPresence } from '../store/leases'
import { callUpstream } from '../upstream/call-upstream'
import { type Ledger, makeLedgerClock, makeLedgerRules } from './ledger'
import { LedgerMemory } from './ledger-memory'
import { maySenderCancel } from './sender'

declare global {
  /** By connection, or by connection and owner. Global because Next loads this module once per module graph. */
  var debitdeskLedgers: Map<string, LedgerMemory> | undefined
}

function getMemory(key: string): LedgerMemory {
  globalThis.debitdeskLedgers ??= new Map()
  const existing = globalThis.debitdeskLedgers.get(key)
  if (existing) return existing
  const memory = new LedgerMemory()
  globalThis.debitdeskLedgers.set(key, memory)
  return memory
}

/**
 * The ledger of the worker that handles this user's cancellations: with UPSTREAM_AUTH=session the user's own. Throws as
 * openLedger.
 */
export function openOwnLedger(connectionId: string, userId: string): Promise<Ledger> {
  const isOwn = getSettings().UPSTREAM_AUTH === 'session' && connectionId === defaultConnectionId
  return openLedger(connectionId, isOwn ? userId : undefined)
}

/** `ownerId` restricts it to one user's cancellations. Throws AppError 'store-unavailable' or 'not-found'. */
export async function openLedger(connectionId: string, ownerId?: string): Promise<Ledger> {
  const connection = getConnection(connectionId)
  const store = await getStore().catch((cause: unknown) => {
    throw new AppError('store-unavailable', { retryAfter: 5 }, { cause })
  })
  return {
    db: store.db,
    isAlone: store.kind === 'pglite',
    connectionId,
    ownerId,
    call: (endpoint, call) => callUpstream(connection, endpoint, call),
    capabilities: openListCapabilities(store, connection, 'listPayments'),
    clock: makeLedgerClock(store.clock),
    rules: makeLedgerRules(connection.rules, getSettings()),
    maySend: (row) => maySenderCancel(store, row),
    velocity: getSettings().CANCEL_VELOCITY,
    memory: getMemory(ownerId === undefined ? connectionId : `${connectionId} ${ownerId}`),
    keepPresence: () => keepPresence(store),
    step: async () => undefined,
    report: (event, { error, ...context }) =>
      log.warn({ event, ...context, ...(error !== undefined && { error: describeError(error) }) }),
  }
}
