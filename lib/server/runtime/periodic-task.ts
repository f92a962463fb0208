import { inBackground } from './request-context'

/** Work that this process does again and again. `stop` waits for the turn under way, after which none follows. */
export type PeriodicTask = { stop: () => Promise<void> }

/**
 * Does `work` at once and then every so many milliseconds. Turns that would begin while one lasts are left out. `work`
 * reports its failures itself and never rejects. The process ends without waiting for the next turn.
 */
export function startPeriodicTask(work: () => Promise<void>, every: number): PeriodicTask {
  let running: Promise<void> | null = null
  const begin = () => {
    running ??= inBackground(work).finally(() => {
      running = null
    })
  }
  const timer = setInterval(begin, every).unref()
  begin()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
