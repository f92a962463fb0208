export const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

/**
 * Waits after the attempt with this number (from 0): longer each time, randomised, and at least `atLeast` milliseconds.
 * Ends early where the browser comes online again or `signal` aborts.
 */
export function pauseAfter(attempt: number, atLeast: number, signal: AbortSignal): Promise<void> {
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, Math.max(atLeast, wait))
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { signal: done.signal })
    window.addEventListener('online', end, { signal: done.signal })
  })
}
