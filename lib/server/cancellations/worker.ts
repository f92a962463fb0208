import { defaultConnectionId } from '../store/default-connection'
import { openLedger } from './open-ledger'
import { runWorker, type Worker } from './run-worker'

declare global {
  /** One per process, in whichever of Next's module graphs it was started. */
  var debitdeskCancellationWorker: Promise<Worker> | undefined
}

/**
 * Starts the process's one worker; called again, it answers the same. Done once what an earlier process left
 * behind is recovered: only then may the desk serve. Throws what the store throws.
 */
export function startCancellationWorker(): Promise<Worker> {
  globalThis.debitdeskCancellationWorker ??= openLedger(defaultConnectionId).then(runWorker)
  return globalThis.debitdeskCancellationWorker
}
