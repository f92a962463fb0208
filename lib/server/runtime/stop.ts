import { setTimeout as wait } from 'node:timers/promises'
import { stopHeads } from '../activity-log/head-signer'
import { flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { markInFlightUnknown, stopMerchantWorkers } from './merchant-workers'
import { describeError, log } from './log'
import { getRegisteredServer } from '../http/registered-server'
import { stopRetention } from '../store/retention'
import { flushSecurityLog } from './security-log'
import { getStore } from '../store/store'

/** Longer than a request that cancels may take, shorter than whoever stops us waits. */
const longEnough = 23_000

async function endWork(): Promise<void> {
  await Promise.allSettled([getRegisteredServer()?.drain(), stopMerchantWorkers(), stopRetention()])
  flushSecurityLog()
  await flushRefusedSignIns({ summed: true })
}

/** A store that answers needs much less; one that does not must not keep the desk from ending in time. */
const longestGivingUp = 1_000
/** With the sending of it. */
const longestLastHead = 3_000

/** Nobody who comes later can tell whether a request of ours still runs: what is not known by now is unknown. */
async function closeStore(): Promise<void> {
  if (!globalThis.debitdeskStore) return
  const { close, kind } = await getStore()
  const givenUp = markInFlightUnknown().catch((error: unknown) =>
    log.error({ event: 'sending-not-given-up', error: describeError(error) }),
  )
  // What is not written is found by its lease. PGlite answers always, and must not be closed under a statement.
  await Promise.race([givenUp, ...(kind === 'postgres' ? [wait(longestGivingUp)] : [])])
  await Promise.race([stopHeads(), ...(kind === 'postgres' ? [wait(longestLastHead)] : [])])
  await close()
}

/**
 * Ends the desk as it is asked to: accepts nothing more, answers what was asked and finishes what was begun for
 * as long as `patience`, marks the requests that are still on their way as unknown, closes the store and gives its lock back.
 */
async function stopDesk(patience: number): Promise<void> {
  await Promise.race([endWork(), wait(patience)])
  await closeStore().catch((error: unknown) => log.error({ event: 'store-not-closed', error: describeError(error) }))
}

declare global {
  var debitdeskStopping: boolean | undefined
}

/** Ends the process with exit code 0 when it is asked to stop. `patience` in milliseconds. */
export function stopOnSignals(patience = longEnough): void {
  const stop = () => {
    if (globalThis.debitdeskStopping) return
    globalThis.debitdeskStopping = true
    void globalThis.debitdeskStore?.then(
      (store) => store.announceClose(),
      () => undefined,
    )
    void stopDesk(patience).finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
