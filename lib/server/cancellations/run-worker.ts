import { setTimeout as wait } from 'node:timers/promises'
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
  const nap = async (milliseconds: number) => {
    const waking = new AbortController()
    memory.wake = () => waking.abort()
    await wait(milliseconds, undefined, { signal: AbortSignal.any([waking.signal, stopping.signal]) }).catch(
      () => undefined,
    )
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let pause = Math.min(ledger.rules.readEvery, longestNap)
      try {
        const { sends } = await reconcile(ledger)
        const ended = sends.then(() => void sending.delete(ended))
        sending.add(ended)
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
      await running
      await Promise.all(sending)
    },
  }
}
