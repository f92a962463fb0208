import { and, eq } from 'drizzle-orm'
import { findPresentOwners, runAsTokenOwner } from '../auth/provider-tokens'
import { resumeStarts } from '../bulk-cancellations/start-intents'
import { runWorkers } from '../bulk-cancellations/worker'
import { runIsolated } from '../cancellations/leases'
import { openLedger } from '../cancellations/open-ledger'
import { closeUnattended, markUnknown, recover, type Worker } from '../cancellations/worker'
import { resumeWaitingImports } from '../imports/worker'
import { cancellations, defaultConnectionId } from '../store/schema'
import { getStore } from '../store/store'
import { findCachedConnection, getConnection } from '../upstream/connection'
import { refreshConnections } from '../upstream/stored-connections'
import { describeError, log } from './log'
import { type PeriodicTask, startPeriodicTask } from './periodic-task'
import { getSettings } from './settings'

type RunningWorkers = { revision: number; worker: Promise<Worker> }

declare global {
  /** One per connection (or token owner) and process, across Next's module graphs. */
  var debitdeskCancellationWorkers: Map<string, RunningWorkers> | undefined
  var debitdeskCancellationMatch: Promise<void> | undefined
  /** When every merchant last had its workers, in milliseconds of performance.now(). */
  var debitdeskWorkersMatchedAt: number | undefined
  var debitdeskCancellationWatch: PeriodicTask | undefined
}

/** Interval of the check for merchants that another process added, changed or removed. */
const SYNC_INTERVAL_MS = 10_000
/** Interval of the check for token owners who signed in or out (UPSTREAM_AUTH=session). */
const OWNER_SYNC_INTERVAL_MS = 1_000

async function stopWorker(workers: Map<string, RunningWorkers>, key: string): Promise<void> {
  const entry = workers.get(key)
  workers.delete(key)
  await (await entry?.worker)?.stop()
}

/** Workers that should run: those of a connection, or of one token owner there. */
type Wanted = { key: string; connectionId: string; ownerId?: string; revision: number }

async function listWanted(): Promise<Wanted[]> {
  const { db } = await getStore()
  const added = (await refreshConnections(db)).map(({ connectionId, revision }) => ({
    key: connectionId,
    connectionId,
    revision,
  }))
  const own = { connectionId: defaultConnectionId, revision: getConnection(defaultConnectionId).revision }
  if (getSettings().UPSTREAM_AUTH !== 'session') return [{ ...own, key: defaultConnectionId }, ...added]
  const owners = await findPresentOwners(db, defaultConnectionId)
  return [...owners.map((ownerId) => ({ ...own, ownerId, key: `${defaultConnectionId} ${ownerId}` })), ...added]
}

async function startWorker({ connectionId, ownerId }: Wanted, isFirst: boolean): Promise<Worker> {
  const ledger = await openLedger(connectionId, ownerId)
  // After the process's start, a lease may be held by a request of this process.
  const opened = isFirst && ownerId === undefined ? ledger : { ...ledger, isAlone: false }
  return ownerId === undefined ? runWorkers(opened) : runAsTokenOwner({ userId: ownerId }, () => runWorkers(opened))
}

async function syncWorkers(): Promise<void> {
  const isFirst = globalThis.debitdeskCancellationWorkers === undefined
  const workers = (globalThis.debitdeskCancellationWorkers ??= new Map())
  // Settles interrupted requests whether or not their token owner is signed in.
  if (isFirst && getSettings().UPSTREAM_AUTH === 'session') await recover(await openLedger(defaultConnectionId))
  const wanted = await listWanted()
  for (const id of workers.keys()) {
    if (!wanted.some(({ key }) => key === id)) await stopWorker(workers, id)
  }
  for (const one of wanted) {
    const { key, revision } = one
    if (workers.get(key)?.revision === revision) continue
    await stopWorker(workers, key)
    const worker = startWorker(one, isFirst)
    workers.set(key, { revision, worker })
    worker.catch(() => workers.delete(key))
    await worker
  }
  globalThis.debitdeskWorkersMatchedAt = performance.now()
}

/**
 * Matches the workers to the existing connections: starts missing ones, restarts those of a changed connection and
 * stops those of a removed one. Throws store errors.
 */
export function syncMerchantWorkers(): Promise<void> {
  // Serialised: two concurrent runs could start two workers for one merchant.
  const next = (globalThis.debitdeskCancellationMatch ?? Promise.resolve()).then(syncWorkers, syncWorkers)
  globalThis.debitdeskCancellationMatch = next
  return next
}

/**
 * A worker without a finished pass for this long is dead. It makes several a second: whatever pages through the whole
 * list, for up to ten minutes, runs beside its loop.
 */
const MAX_PASS_MS = 150_000

/** Whether every merchant has workers and all of them make progress. `now` in milliseconds of performance.now(). */
export function areWorkersAlive(now: number): boolean {
  const isRecent = (at: number | undefined) => at !== undefined && now - at < MAX_PASS_MS
  const { debitdeskCancellationWorkers: workers = new Map<string, RunningWorkers>() } = globalThis
  const passes = [...workers.keys()].flatMap((key) => [
    ...(globalThis.debitdeskLedgers?.get(key)?.passes.values() ?? []),
  ])
  return isRecent(globalThis.debitdeskWorkersMatchedAt) && passes.every(isRecent)
}

async function tick(): Promise<void> {
  await syncMerchantWorkers()
  if (getSettings().UPSTREAM_AUTH !== 'session') return
  const ledger = await openLedger(defaultConnectionId)
  await ledger.keepPresence()
  await closeUnattended(ledger)
  await resumeWaitingImports((await getStore()).db)
  // Starting a bulk sends nothing to the service, so its owner need not be present.
  await resumeStarts(ledger)
}

/**
 * Starts the process's workers, per merchant. Resolves once the work of an earlier process is recovered; the desk must
 * not serve before. Throws store errors.
 */
export async function startMerchantWorkers(): Promise<void> {
  await syncMerchantWorkers()
  // It would start again what was just stopped.
  if (globalThis.debitdeskStopping) return
  globalThis.debitdeskCancellationWatch ??= startPeriodicTask(
    () => tick().catch((error: unknown) => log.warn({ event: 'workers-not-matched', error: describeError(error) })),
    getSettings().UPSTREAM_AUTH === 'session' ? OWNER_SYNC_INTERVAL_MS : SYNC_INTERVAL_MS,
  )
}

/** Stops all workers of this process. Running requests and those that users have asked for are completed. */
export async function stopMerchantWorkers(): Promise<void> {
  await globalThis.debitdeskCancellationWatch?.stop()
  const { debitdeskCancellationMatch: syncing, debitdeskCancellationWorkers: workers = new Map() } = globalThis
  // Requests are carried out even if their user has left.
  const drained = [...(globalThis.debitdeskLedgers?.values() ?? [])].map((memory) => memory.drain())
  await Promise.allSettled([...drained, syncing])
  await Promise.allSettled([...workers.keys()].map((connectionId) => stopWorker(workers, connectionId)))
}

/** Marks requests this process was sending as unknown, for its successor. Throws store errors. */
export async function markInFlightUnknown(): Promise<void> {
  for (const [key, memory] of globalThis.debitdeskLedgers ?? []) {
    const [connectionId = '', ownerId] = key.split(' ')
    // A removed merchant had no open requests.
    if (connectionId !== defaultConnectionId && !findCachedConnection(connectionId)) continue
    const ledger = await openLedger(connectionId, ownerId)
    const rows = await ledger.db
      .select()
      .from(cancellations)
      .where(
        and(
          eq(cancellations.connectionId, connectionId),
          eq(cancellations.state, 'sending'),
          eq(cancellations.leaseHolder, memory.holder),
        ),
      )
    for (const row of rows) await runIsolated(ledger, row, () => markUnknown(ledger, row))
  }
}
