import { setTimeout as wait } from 'node:timers/promises'
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
  await recover(ledger)
  const { memory } = ledger
  memory.isStopping = false
  const stopping = new AbortController()
  const begun = new Set<Promise<void>>()
  let woken = false
  let waking = new AbortController()
  memory.wake = () => {
    woken = true
    waking.abort()
  }
  const nap = async (milliseconds: number) => {
    waking = new AbortController()
    // Not with AbortSignal.any and a signal that lasts: Node keeps something of each such wait at that.
    if (!woken && !stopping.signal.aborted)
      await wait(milliseconds, undefined, { signal: waking.signal }).catch(() => undefined)
    woken = false
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let pause = Math.min(ledger.rules.readEvery, longestNap)
      try {
        const { work } = await reconcile(ledger)
        const ended = work.then(() => void begun.delete(ended))
        begun.add(ended)
      } catch (error) {
        ledger.report('reconciliation-failed', { error })
        woken = false
        pause = Math.max(pause, napAfterFailure)
      }
      await nap(pause)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopping.abort()
      waking.abort()
      memory.isStopping = true
      await running
      await Promise.all(begun)
    },
  }
}
