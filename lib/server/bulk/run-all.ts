import type { Ledger } from '../cancellations/ledger'
import { runWorker, type Worker } from '../cancellations/run-worker'
import { runBulks } from './run-bulks'

/** Everything that works on a connection's cancellations by itself: the ledger's worker and the bulks. Throws what the store throws. */
export async function runAll(ledger: Ledger): Promise<Worker> {
  const worker = await runWorker(ledger)
  const bulks = await runBulks(ledger).catch(async (error: unknown) => {
    await worker.stop()
    throw error
  })
  return { stop: async () => void (await Promise.all([worker.stop(), bulks.stop()])) }
}
