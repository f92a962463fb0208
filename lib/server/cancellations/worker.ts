import { runAll } from '../bulk/run-all'
import { resumeStarts } from '../bulk/write-start'
import { getConnection } from '../connection'
import { keepConnections } from '../connections/keep-connection'
import { describeError } from '../describe-error'
import { log } from '../log'
import { resumeWaitingImports } from '../imports/resume-waiting'
import { findPresentOwners } from '../openid/find-present-owners'
import { asOwner } from '../openid/token-owner'
import { type PeriodicTask, startPeriodicTask } from '../periodic-task'
import { getSettings } from '../settings'
import { defaultConnectionId } from '../store/default-connection'
import { getStore } from '../store/open-store'
import { openLedger } from './open-ledger'
import { closeUnattended } from './reconcile'
import { recover } from './recover'
import type { Worker } from './run-worker'

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
  const added = (await keepConnections(db)).map(({ connectionId, revision }) => ({
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
  return ownerId === undefined ? runAll(given) : asOwner({ userId: ownerId }, () => runAll(given))
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
export function matchCancellationWorkers(): Promise<void> {
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
  await matchCancellationWorkers()
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
export async function startCancellationWorker(): Promise<void> {
  await matchCancellationWorkers()
  globalThis.debitdeskCancellationWatch ??= startPeriodicTask(
    () =>
      lookAround().catch((error: unknown) => log.warn({ event: 'workers-not-matched', error: describeError(error) })),
    getSettings().UPSTREAM_AUTH === 'session' ? lookForOwnersEvery : lookEvery,
  )
}

/** Ends all workers of this process and starts no more; what they have begun comes to its end, and so does what people asked for. */
export async function stopCancellationWorkers(): Promise<void> {
  await globalThis.debitdeskCancellationWatch?.stop()
  const { debitdeskCancellationMatch: matching, debitdeskCancellationWorkers: workers = new Map() } = globalThis
  // Whoever asked may be gone; what was asked for is carried out.
  const asked = [...(globalThis.debitdeskLedgers?.values() ?? [])].map((memory) => memory.drain())
  await Promise.allSettled([...asked, matching])
  await Promise.allSettled([...workers.keys()].map((connectionId) => stopWorker(workers, connectionId)))
}
