/**
 * Runs `read` when it is asked for: one at a time, only while the page is visible, and at least `intervalMs` apart.
 * What is asked for meanwhile is read once, afterwards. `delayMs` passes before each run.
 */
export function createReadAgain(read: () => Promise<unknown>, intervalMs: number, delayMs = 0) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  let isReading = false
  let isStopped = false
  let endedAt = Number.NEGATIVE_INFINITY

  function schedule(): void {
    if (!isWanted || isReading || isStopped || timer !== undefined || document.visibilityState === 'hidden') return
    timer = setTimeout(() => void run(), Math.max(delayMs, endedAt + intervalMs - performance.now()))
  }

  async function run(): Promise<void> {
    timer = undefined
    isWanted = false
    isReading = true
    await read().catch(() => undefined)
    isReading = false
    endedAt = performance.now()
    schedule()
  }

  document.addEventListener('visibilitychange', schedule)
  return {
    request: (): void => {
      isWanted = true
      schedule()
    },
    stop: (): void => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}
