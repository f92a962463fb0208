import { setTimeout as wait } from 'node:timers/promises'
import { and, count, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn, unionAll } from 'drizzle-orm/pg-core'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { BulkState } from '@/lib/domain/cancellations/bulk-cancellation'
import { type CancellationState, states } from '../cancellations/states'
import { isNotTakenOver } from '../cancellations/taken-over'
import { bulks } from '../store/bulk-schema'
import { mails, notices, passwordRequests } from '../store/mail-schema'
import { cancellations, connections } from '../store/schema'
import { getInstruments, timeStore } from './instruments'

/** One read in this time, however many scrape. */
const LIFETIME_MS = 10_000
/** A store that takes longer is reported as down; the read goes on and is not joined by a second. */
const TIMEOUT_MS = 2_000

/** The others have ended. */
const openBulkStates: readonly BulkState[] = ['preparing', 'ready', 'awaiting', 'starting', 'running', 'paused']
const openStates = (Object.keys(states) as CancellationState[]).filter(
  (state) => states[state].next.length > 0 || state === 'needs-person',
)
const storeQueues = ['mail', 'notices', 'password-requests'] as const

type Group = 'cancellations' | 'bulks' | (typeof storeQueues)[number]
type Row = { group: string; state: string; count: number; oldest: number | null }

/** Everything in one statement, each part by an index of what is open. */
function readRows(db: Database): Promise<Row[]> {
  const columns = (group: Group, state: AnyPgColumn | SQL<string>, since: AnyPgColumn | SQL) => ({
    group: sql<string>`${group}::text`.as('group'),
    state: sql<string>`${state}`.as('state'),
    count: count().as('count'),
    oldest: sql<number | null>`min(extract(epoch from ${since}))::float8`.as('oldest'),
  })
  const none = sql<string>`'waiting'`
  const isOpen = or(
    isNull(cancellations.closedAt),
    and(eq(cancellations.state, 'needs-person'), isNull(cancellations.handled), isNotTakenOver(db)),
  )
  const undecidedSince = sql`coalesce(${cancellations.undecidedSince}, ${cancellations.stateSince})`
  return unionAll(
    db
      .select(columns('cancellations', cancellations.state, undecidedSince))
      .from(cancellations)
      .innerJoin(connections, eq(connections.connectionId, cancellations.connectionId))
      .where(and(isOpen, isNull(connections.removedAt)))
      .groupBy(cancellations.state),
    db
      .select(columns('bulks', bulks.state, bulks.changedAt))
      .from(bulks)
      .innerJoin(connections, eq(connections.connectionId, bulks.connectionId))
      .where(and(isNull(bulks.endedAt), isNull(connections.removedAt)))
      .groupBy(bulks.state),
    db
      .select(columns('mail', none, mails.createdAt))
      .from(mails)
      .where(eq(mails.state, 'waiting')),
    db
      .select(columns('notices', none, notices.createdAt))
      .from(notices)
      .where(isNull(notices.handledAt)),
    db.select(columns('password-requests', none, passwordRequests.createdAt)).from(passwordRequests),
  )
}

async function setGauges({ db, clock }: Pick<OpenDatabase, 'db' | 'clock'>): Promise<void> {
  const rows = await timeStore('read', () => readRows(db))
  const now = clock.now().getTime() / 1_000
  const find = (group: Group, state = 'waiting') => rows.find((row) => row.group === group && row.state === state)
  const { cancellations, oldestCancellation, bulks, queueLength } = getInstruments()
  for (const state of openStates) {
    const found = find('cancellations', state)
    cancellations.set({ state }, found?.count ?? 0)
    const oldest = found?.oldest
    oldestCancellation.set({ state }, typeof oldest === 'number' ? Math.max(0, now - oldest) : 0)
  }
  for (const state of openBulkStates) bulks.set({ state }, find('bulks', state)?.count ?? 0)
  for (const queue of storeQueues) queueLength.set({ queue }, find(queue)?.count ?? 0)
}

/** A read of the store for scrapes; `endedAt` is null while it runs. */
type Reading = { endedAt: number | null; works: Promise<boolean> }

declare global {
  /** One per process. */
  var debitdeskStoreReading: Reading | undefined
}

function startReading(store: Promise<OpenDatabase>): Reading {
  const works = store.then(setGauges).then(
    () => true,
    () => false,
  )
  const reading: Reading = { endedAt: null, works }
  void works.then(() => {
    reading.endedAt = performance.now()
  })
  return reading
}

/**
 * Brings the gauges of the store up to date, at most once in ten seconds. Without an answer in two seconds
 * `debitdesk_store_up` is 0 and the others, which nobody knows, are absent. The store is never opened for a scrape.
 */
export async function readStoreGauges(now = performance.now()): Promise<void> {
  const { cancellations, oldestCancellation, bulks, queueLength, storeUp } = getInstruments()
  const store = globalThis.debitdeskStore
  const last = globalThis.debitdeskStoreReading
  const isCurrent = last && (last.endedAt === null || now - last.endedAt < LIFETIME_MS)
  const reading = isCurrent ? last : store && startReading(store)
  globalThis.debitdeskStoreReading = reading
  const done = new AbortController()
  const timeout = wait(TIMEOUT_MS, false, { signal: done.signal }).catch(() => false)
  const works = await Promise.race([reading?.works ?? false, timeout]).finally(() => done.abort())
  storeUp.set(works ? 1 : 0)
  if (works) return
  for (const gauge of [cancellations, oldestCancellation, bulks]) gauge.reset()
  for (const queue of storeQueues) queueLength.remove({ queue })
}
