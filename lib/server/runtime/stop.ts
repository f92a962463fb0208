import { setTimeout as wait } from 'node:timers/promises'
import { stopHeads } from '../activity-log/head-signer'
import { flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { stopCopies } from '../backups/copy-socket'
import { markInFlightUnknown, stopMerchantWorkers } from './merchant-workers'
import { closeEventStreams } from '../changes/event-streams'
import { describeError, log } from './log'
import { getRegisteredServer } from '../http/registered-server'
import { stopExportSchedules } from '../exports/schedules'
import { stopMail } from '../mail/worker'
import { stopRetention } from '../store/retention'
import { flushSecurityLog } from './security-log'
import { getStore } from '../store/store'
import { getSettings } from './settings'

/** Longer than a cancelling request may take. With the steps after it, shorter than a process manager waits (docs/operations.md). */
const STOP_TIMEOUT_MS = 23_000

/**
 * How long a dashboard behind a proxy goes on answering while /api/ready says 503: the proxy turns to others, and no request
 * is sent on a connection that is just being closed.
 */
const RETIRE_MS = 5_000

/** Without a proxy nobody else would answer. */
async function retire(): Promise<void> {
  const { TRUSTED_PROXIES } = getSettings()
  if ('hops' in TRUSTED_PROXIES && TRUSTED_PROXIES.hops === 0) return
  getRegisteredServer()?.retire()
  await wait(RETIRE_MS)
}

/** What nobody waits for begins nothing more. */
const endBackgroundWork = () =>
  Promise.allSettled([stopMerchantWorkers(), stopRetention(), stopExportSchedules(), stopMail(), stopCopies()])

async function endWork(background: Promise<unknown>): Promise<void> {
  // The streams before the server is drained: one ends by itself only when its page is left.
  await Promise.allSettled([closeEventStreams(), getRegisteredServer()?.drain(), background])
  flushSecurityLog()
  await flushRefusedSignIns({ summed: true })
}

/** A working store needs much less; a hanging one must not delay the exit. */
const MARK_UNKNOWN_TIMEOUT_MS = 1_000
/** For a store that is still being opened, which may wait for another desk's migration. */
const OPEN_TIMEOUT_MS = 2_000
/** Includes sending the head. */
const LAST_HEAD_TIMEOUT_MS = 3_000
const LAST_TRACES_TIMEOUT_MS = 1_000

/** Marks requests in flight as unknown, since no later process can tell whether they still run, and closes the store. */
async function closeStore(): Promise<void> {
  if (!globalThis.debitdeskStore) return
  // Opening a folder is never cut off. On Postgres that leaves nothing behind.
  const store = await Promise.race([getStore(), ...(getSettings().DATABASE_URL ? [wait(OPEN_TIMEOUT_MS, null)] : [])])
  if (store === null) return
  const { close, kind } = store
  const marked = markInFlightUnknown().catch((error: unknown) =>
    log.error({ event: 'sending-not-given-up', error: describeError(error) }),
  )
  // Unmarked requests are found by their lease. PGlite always answers and must not be closed during a statement.
  await Promise.race([marked, ...(kind === 'postgres' ? [wait(MARK_UNKNOWN_TIMEOUT_MS)] : [])])
  await Promise.race([stopHeads(), ...(kind === 'postgres' ? [wait(LAST_HEAD_TIMEOUT_MS)] : [])])
  await close()
}

/**
 * Shuts the desk down: begins no work of its own, answers on behind a proxy for a few seconds, then accepts nothing more and
 * completes requests and work for up to `timeoutMs`, marks requests still in
 * flight as unknown, closes the store and releases its lock.
 */
async function stopDesk(timeoutMs: number): Promise<void> {
  const background = endBackgroundWork()
  await retire()
  await Promise.race([endWork(background), wait(timeoutMs)])
  await closeStore().catch((error: unknown) => log.error({ event: 'store-not-closed', error: describeError(error) }))
  await Promise.race([globalThis.debitdeskFlushTraces?.().catch(() => undefined), wait(LAST_TRACES_TIMEOUT_MS)])
}

declare global {
  var debitdeskStopping: boolean | undefined
}

/** On SIGINT or SIGTERM, shuts down and exits with code 0. */
export function stopOnSignals(timeoutMs = STOP_TIMEOUT_MS): void {
  const stop = () => {
    if (globalThis.debitdeskStopping) return
    globalThis.debitdeskStopping = true
    void globalThis.debitdeskStore?.then(
      (store) => store.announceClose(),
      () => undefined,
    )
    void stopDesk(timeoutMs).finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
