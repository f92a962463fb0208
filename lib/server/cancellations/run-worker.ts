import type { Ledger } from './ledger'
import { reconcile } from './reconcile'
import { recover } from './recover'

/** `stop` lets what was begun come to its end. */
export type Worker = { stop: () => Promise<void> }

const longestNap = 1_000
const napAfterFailure = 5_000

/**
 * Recovers what was left behind, then looks again and again for what is due, until stopped. Answers once
 * recovery is done; throws what the store throws during recovery alone.
 */
export async function runWorker(ledger: Ledger): Promise<Worker> {
  await recover(ledger)
  const { memory } = ledger
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()
  const nap = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : milliseconds)
      memory.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let pause = Math.min(ledger.rules.readEvery, longestNap)
      try {
        const { sends } = await reconcile(ledger)
        const done = sends.then(() => void sending.delete(done))
        sending.add(done)
      } catch (error) {
        ledger.report('reconciliation-failed', { error })
        pause = Math.max(pause, napAfterFailure)
      }
      await nap(pause)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopping.abort()
      memory.wake()
      await running
      await Promise.all(sending)
    },
  }
}
