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

type Working = { revision: number; worker: Promise<Worker> }

declare global {
  /** One per connection, or owner, and process, in whichever of Next's module graphs they were started. */
  var debitdeskCancellationWorkers: Map<string, Working> | undefined
  var debitdeskCancellationMatch: Promise<void> | undefined
  /** When there last was a worker for each merchant that is to have one, in milliseconds of performance.now(). */
  var debitdeskWorkersMatchedAt: number | undefined
  var debitdeskCancellationWatch: PeriodicTask | undefined
}

/** How often it is looked for merchants that another process has added, changed or removed, in milliseconds. */
const lookEvery = 10_000
/** How often it is looked for owners who have come or gone, where the service is asked with their own tokens. */
const lookForOwnersEvery = 1_000

async function stopWorker(workers: Map<string, Working>, key: string): Promise<void> {
  const working = workers.get(key)
  workers.delete(key)
  await (await working?.worker)?.stop()
}

/** A worker that there should be: of a connection, or of one owner's work there. */
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
  // Later than at the start of the process, a lease may well be held by a request of our own.
  const given = isFirst && ownerId === undefined ? ledger : { ...ledger, isAlone: false }
  return ownerId === undefined ? runWorkers(given) : runAsTokenOwner({ userId: ownerId }, () => runWorkers(given))
}

async function match(): Promise<void> {
  const isFirst = globalThis.debitdeskCancellationWorkers === undefined
  const workers = (globalThis.debitdeskCancellationWorkers ??= new Map())
  // What was interrupted is no more under way, whoever has to be there for the rest.
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
 * Brings the workers to the connections there are: one each, begun anew where its connection was changed, ended
 * where it was removed. Throws what the store throws.
 */
export function syncMerchantWorkers(): Promise<void> {
  // One at a time: two at once could start two workers of one merchant.
  const turn = (globalThis.debitdeskCancellationMatch ?? Promise.resolve()).then(match, match)
  globalThis.debitdeskCancellationMatch = turn
  return turn
}

/**
 * A worker that has finished no pass for so long, in milliseconds, is dead. It makes several a second, but one of a bulk may
 * be a walk of the whole list, of a minute at most.
 */
const longestPass = 150_000

/** Whether every merchant has its workers, and each of them goes on. `now` in milliseconds of performance.now(). */
export function areWorkersAlive(now: number): boolean {
  const isRecent = (at: number | undefined) => at !== undefined && now - at < longestPass
  const { debitdeskCancellationWorkers: workers = new Map<string, Working>() } = globalThis
  const passes = [...workers.keys()].flatMap((key) => [
    ...(globalThis.debitdeskLedgers?.get(key)?.passes.values() ?? []),
  ])
  return isRecent(globalThis.debitdeskWorkersMatchedAt) && passes.every(isRecent)
}

async function lookAround(): Promise<void> {
  await syncMerchantWorkers()
  if (getSettings().UPSTREAM_AUTH !== 'session') return
  const ledger = await openLedger(defaultConnectionId)
  await ledger.keepPresence()
  await closeUnattended(ledger)
  await resumeWaitingImports((await getStore()).db)
  // Nothing is asked of the service before a bulk runs, so its owner need not be there.
  await resumeStarts(ledger)
}

/**
 * Starts the process's workers, one per merchant. Done once what an earlier process left behind is recovered:
 * only then may the desk serve. Throws what the store throws.
 */
export async function startMerchantWorkers(): Promise<void> {
  await syncMerchantWorkers()
  globalThis.debitdeskCancellationWatch ??= startPeriodicTask(
    () =>
      lookAround().catch((error: unknown) => log.warn({ event: 'workers-not-matched', error: describeError(error) })),
    getSettings().UPSTREAM_AUTH === 'session' ? lookForOwnersEvery : lookEvery,
  )
}

/** Ends all workers of this process and starts no more; what they have begun comes to its end, and so does what people asked for. */
export async function stopMerchantWorkers(): Promise<void> {
  await globalThis.debitdeskCancellationWatch?.stop()
  const { debitdeskCancellationMatch: matching, debitdeskCancellationWorkers: workers = new Map() } = globalThis
  // Whoever asked may be gone; what was asked for is carried out.
  const asked = [...(globalThis.debitdeskLedgers?.values() ?? [])].map((memory) => memory.drain())
  await Promise.allSettled([...asked, matching])
  await Promise.allSettled([...workers.keys()].map((connectionId) => stopWorker(workers, connectionId)))
}

/** Marks what this process was sending as unknown, for whoever goes on. Throws what the store throws. */
export async function markInFlightUnknown(): Promise<void> {
  for (const [key, memory] of globalThis.debitdeskLedgers ?? []) {
    const [connectionId = '', ownerId] = key.split(' ')
    // Of a merchant that was removed nothing was open any more.
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
