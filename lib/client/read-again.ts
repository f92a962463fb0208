import { CallError } from './api-client'

/** The longest wait after failures (milliseconds). */
const MAX_WAIT_MS = 60_000

/**
 * Whether the same request can succeed a little later: also where what answered was not the desk, as a proxy in front of
 * it does while it restarts.
 */
export function mayPass(error: unknown): error is CallError {
  if (!(error instanceof CallError) || error.status === 401) return false
  const { status, code } = error
  return status === 0 || status === 429 || status >= 500 || code === 'desk-bad-reply' || code === `http-${status}`
}

/**
 * Runs `read` when it is asked for: one at a time, only while the page is visible, and at least `intervalMs` apart.
 * What is asked for meanwhile is read once, afterwards. `delayMs` passes before each run. Where it fails for a reason that
 * passes, it runs again after a wait that doubles each time.
 */
export function createReadAgain(read: () => Promise<unknown>, intervalMs: number, delayMs = 0) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  let isReading = false
  let isStopped = false
  let endedAt = Number.NEGATIVE_INFINITY
  let waitMs = intervalMs

  function schedule(): void {
    if (!isWanted || isReading || isStopped || timer !== undefined || document.visibilityState === 'hidden') return
    timer = setTimeout(() => void run(), Math.max(delayMs, endedAt + waitMs - performance.now()))
  }

  async function run(): Promise<void> {
    timer = undefined
    // It runs once the page is visible again.
    if (document.visibilityState === 'hidden') return
    isWanted = false
    isReading = true
    try {
      await read()
      waitMs = intervalMs
    } catch (error) {
      if (mayPass(error)) {
        isWanted = true
        waitMs = Math.max(Math.min(2 * waitMs, MAX_WAIT_MS), intervalMs, (error.retryAfter ?? 0) * 1_000)
      } else waitMs = intervalMs
    }
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
