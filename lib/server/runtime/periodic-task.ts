import { inBackground } from './request-context'

/** Repeated work of this process. `stop` waits for the current run and prevents further ones. */
export type PeriodicTask = { stop: () => Promise<void> }

/**
 * Runs `work` at once and then every `intervalMs`, skipping runs while one lasts. `work` reports its failures itself and
 * never rejects. Doesn't keep the process alive.
 */
export function startPeriodicTask(work: () => Promise<void>, intervalMs: number): PeriodicTask {
  let running: Promise<void> | null = null
  const begin = () => {
    running ??= inBackground(work).finally(() => {
      running = null
    })
  }
  const timer = setInterval(begin, intervalMs).unref()
  begin()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
