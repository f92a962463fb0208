import { logFailure } from './log-failure'

/** A loop that does what is due and sleeps until more is. */
export type Lifecycle = {
  /** Looks again what is due: to be called when something became due sooner than was known. */
  wake: () => void
  stop: () => Promise<void>
}

/**
 * Runs `work` whenever it is woken and when the time that it answered has come (real milliseconds until
 * more is due). What is due stands in the database, so that a restart forgets nothing; a failure is tried
 * again after a second. It never sleeps longer than `longestSleep` milliseconds, in case another process on
 * the same database made something due.
 */
export function startLifecycle(work: () => Promise<number>, longestSleep = 5_000): Lifecycle {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  function sleep(wait: number): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(wait, 2), longestSleep))
  }

  async function run(): Promise<void> {
    try {
      sleep(await work())
    } catch (error) {
      logFailure('a step failed and is tried again', error)
      sleep(1_000)
    }
    running = null
    if (!again) return
    again = false
    wake()
  }

  function wake(): void {
    if (stopped) return
    if (running) again = true
    else running = run()
  }

  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
