import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import type { OpenDatabase, StoreClock } from '@/lib/database/database'
import {
  type Actor,
  type CancellationRow,
  type Ledger,
  type LedgerRules,
  makeLedgerClock,
  makeLedgerRules,
} from '../cancellations/ledger'
import { LedgerMemory } from '../cancellations/ledger-memory'
import { runPass } from '../cancellations/worker'
import { parseSettings } from '../runtime/settings'
import { cancellations, defaultConnectionId } from '../store/schema'
import { callUpstream } from '../upstream/call-upstream'
import { type ListCapabilities, openListCapabilities } from '../upstream/capability-store'
import { makeConnection } from '../upstream/connection'

/**
 * Fast rules: tens of milliseconds where the desk has seconds. Times that must not run out on a busy machine stay long;
 * tests that need them to run out shift the clock.
 */
export const fastRules: Partial<LedgerRules> = {
  graceMs: 300,
  pollIntervalMs: 40,
  listIntervalMs: 1,
  reviewAfterMs: 120_000,
  leaseMs: 20_000,
  sendTimeoutMs: 4_000,
  guardTimeoutMs: 60_000,
}

type Options = { rules?: Partial<LedgerRules>; parts?: Partial<Ledger>; settings?: Record<string, string> }

/** A ledger on an open store with a service at `url`, over real HTTP, as in a process of the desk. */
export function makeTestLedger(
  store: OpenDatabase,
  url: string,
  { rules, parts, settings: given }: Options = {},
): Ledger {
  const settings = parseSettings({ UPSTREAM_URL: url, UPSTREAM_TOKEN: 'a-token-for-tests', ...given })
  const connection = makeConnection(settings)
  const ruled = { ...makeLedgerRules(connection.rules, settings), ...fastRules, ...rules }
  if (ruled.leaseMs <= ruled.sendTimeoutMs) throw new Error('a lease must be longer than the request that it is for')
  return {
    db: store.db,
    isAlone: store.kind === 'pglite',
    connectionId: defaultConnectionId,
    call: (endpoint, call) => callUpstream(connection, endpoint, call),
    capabilities: openListCapabilities(store, connection, 'listPayments'),
    clock: makeLedgerClock(store.clock),
    rules: ruled,
    maySend: () => Promise.resolve(true),
    velocity: null,
    memory: new LedgerMemory(),
    keepPresence: async () => undefined,
    step: async () => undefined,
    report: () => undefined,
    ...parts,
  }
}

/** Capabilities of a new connection id, so that nothing is known whatever earlier tests found. */
export function forgetCapabilities(store: OpenDatabase): ListCapabilities {
  return openListCapabilities(
    store,
    { connectionId: randomUUID(), baseUrl: new URL('https://service.example') },
    'listPayments',
  )
}

/** A store's clock, shifted by milliseconds. */
export function shiftStoreClock(clock: StoreClock, ahead: () => number): StoreClock {
  return {
    ...clock,
    sql: (milliseconds = 0) => clock.sql(milliseconds + ahead()),
    now: () => new Date(clock.now().getTime() + ahead()),
  }
}

/** The same ledger, with its clock shifted by milliseconds. */
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

/** A user who may cancel. */
export function makeActor(email = 'support@debitdesk.example'): Actor {
  return { userId: randomUUID(), email, sessionId: randomUUID() }
}

/** The row of one cancellation. */
export async function readRow({ db }: Ledger, id: string): Promise<CancellationRow> {
  const [row] = await db.select().from(cancellations).where(eq(cancellations.id, id))
  if (!row) throw new Error(`there is no cancellation ${id}`)
  return row
}

/** Runs passes like the worker until a cancellation is closed (or `until` holds); at most 45 s. */
export async function settleLedger(
  ledger: Ledger,
  id: string,
  until = (row: CancellationRow) => row.closedAt !== null,
): Promise<CancellationRow> {
  for (const start = Date.now(); Date.now() - start < 45_000; ) {
    const { work } = await runPass(ledger)
    await work
    const row = await readRow(ledger, id)
    if (until(row)) return row
    await wait(ledger.rules.pollIntervalMs / 2)
  }
  throw new Error(`still ${(await readRow(ledger, id)).state} after 45 s`)
}

/** How many cancellations are open. */
export async function countOpen({ db, connectionId }: Ledger): Promise<number> {
  const open = and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt))
  return db.$count(cancellations, open)
}
