import { randomUUID } from 'node:crypto'
import type { OpenDatabase } from '@/lib/database/open-database'
import type { StoreClock } from '@/lib/database/store-clock'
import { type ListCapabilities, openListCapabilities } from '../capabilities/list-capabilities'
import type { Actor, Ledger } from '../cancellations/ledger'
import { makeLedgerClock } from '../cancellations/ledger-clock'
import { LedgerMemory } from '../cancellations/ledger-memory'
import { type LedgerRules, makeLedgerRules } from '../cancellations/ledger-rules'
import { makeConnection } from '../connection'
import { parseSettings } from '../settings'
import { defaultConnectionId } from '../store/default-connection'
import { callUpstream } from '../upstream'

/**
 * Fast rules: tens of milliseconds where the desk has seconds. What must not run out on a busy machine stays
 * long; tests that need it to run out shift the clock.
 */
export const fastRules: Partial<LedgerRules> = {
  grace: 300,
  readEvery: 40,
  listEvery: 1,
  personAfter: 120_000,
  lease: 20_000,
  sendDeadline: 4_000,
  guardDeadline: 60_000,
}

type Options = { rules?: Partial<LedgerRules>; parts?: Partial<Ledger>; settings?: Record<string, string> }

/** A ledger on an open store against a service at `url`, over real HTTP, as one process of a desk would have it. */
export function makeTestLedger(
  store: OpenDatabase,
  url: string,
  { rules, parts, settings: given }: Options = {},
): Ledger {
  const settings = parseSettings({ UPSTREAM_URL: url, UPSTREAM_TOKEN: 'a-token-for-tests', ...given })
  const connection = makeConnection(settings)
  const ruled = { ...makeLedgerRules(connection.rules, settings.CANCEL_GRACE), ...fastRules, ...rules }
  if (ruled.lease <= ruled.sendDeadline) throw new Error('a lease must be longer than the request that it is for')
  return {
    db: store.db,
    isAlone: store.kind === 'pglite',
    connectionId: defaultConnectionId,
    call: (endpoint, call) => callUpstream(connection, endpoint, call),
    capabilities: openListCapabilities(store, defaultConnectionId, 'listPayments'),
    clock: makeLedgerClock(store.clock),
    rules: ruled,
    velocity: null,
    memory: new LedgerMemory(),
    keepPresence: async () => undefined,
    step: async () => undefined,
    report: () => undefined,
    ...parts,
  }
}

/** Capabilities kept in a store of which nothing is known yet, whatever earlier tests have found out there. */
export function forgetCapabilities(store: OpenDatabase): ListCapabilities {
  return openListCapabilities(store, randomUUID(), 'listPayments')
}

/** A store's clock that is so many milliseconds ahead of another. */
export function shiftStoreClock(clock: StoreClock, ahead: () => number): StoreClock {
  return {
    ...clock,
    sql: (milliseconds = 0) => clock.sql(milliseconds + ahead()),
    now: () => new Date(clock.now().getTime() + ahead()),
  }
}

/** The same ledger so many milliseconds later. */
export function shiftClock(ledger: Ledger, milliseconds: number): Ledger {
  const { now, wall, host, store } = ledger.clock
  const shift = (moment: Date) => new Date(moment.getTime() + milliseconds)
  return {
    ...ledger,
    clock: {
      now: () => shift(now()),
      wall: () => shift(wall()),
      host: () => shift(host()),
      store: shiftStoreClock(store, () => milliseconds),
    },
  }
}

/** Somebody who may cancel. */
export function makeActor(email = 'support@debitdesk.example'): Actor {
  return { userId: randomUUID(), email, sessionId: randomUUID() }
}
