import { setTimeout as pause } from 'node:timers/promises'

/** A serialization failure and a deadlock: Postgres undid everything and asks for another try. */
const conflicts = new Set(['40001', '40P01'])
const mostRetries = 3
/** The first wait in milliseconds; each further one is twice as long. */
const firstWait = 20

function isConflict(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1)
    if ('code' in one && typeof one.code === 'string' && conflicts.has(one.code)) return true
  return false
}

/**
 * Runs `attempt` again when the database undid it because of a conflict: up to three times, after waits that
 * differ from one process to the next. A broken connection is no conflict: whether that attempt was committed
 * is not known, so it is never run again here.
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (retries === mostRetries || !isConflict(error)) throw error
      await pause(firstWait * 2 ** retries * (0.5 + Math.random()))
    }
  }
}
