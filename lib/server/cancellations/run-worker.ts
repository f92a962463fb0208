import type { Ledger } from './ledger'
import { reconcile } from './reconcile'
import { recover } from './recover'

/** `stop` lets what was begun come to its end. */
export type Worker = { stop: () => Promise<void> }

const longestNap = 1_000
const napAfterFailure = 2_000

/**
 * Recovers what was left behind, then looks again and again for what is due, until stopped. Answers once
 * recovery is done; throws what the store throws during recovery alone.
 */
export async function runWorker(ledger: Ledger): Promise<Worker> {
  const { memory } = ledger
  memory.passes.set('ledger', performance.now())
  await recover(ledger)
  memory.start()
  const begun = new Set<Promise<void>>()
  const loop = async () => {
    while (!memory.isStopping) {
      const pause = Math.min(ledger.rules.readEvery, longestNap)
      try {
        await ledger.keepPresence()
        const { work } = await reconcile(ledger)
        memory.passes.set('ledger', performance.now())
        const ended = work.then(() => void begun.delete(ended))
        begun.add(ended)
        await memory.nap(pause)
      } catch (error) {
        ledger.report('reconciliation-failed', { error })
        await memory.rest(Math.max(pause, napAfterFailure))
      }
    }
  }
  const running = loop()
  return {
    stop: async () => {
      memory.stop()
      await running
      memory.passes.delete('ledger')
      await Promise.all(begun)
    },
  }
}
