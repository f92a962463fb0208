import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { logFailure } from './log-failure'

/** One write as the service saw and answered it. The judge of "how often was this cancelled". */
export type LoggedRequest = {
  at: string
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  /**
   * What it amounted to: `accepted` (a cancellation that took effect), `accepted-again` (accepted before,
   * nothing more happens), `created`, `replayed` (a stored answer), `refused` and so on. Two lines
   * `accepted` for one payment would be a second effective cancellation.
   */
  outcome: string
  /** The body of a cancellation as it came. */
  body: string | null
}

export type RequestLog = { requests: LoggedRequest[]; write: (entry: LoggedRequest) => void }

const mostInMemory = 10_000

function append(path: string, entry: LoggedRequest): void {
  try {
    appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch (error) {
    // The answer is right whether it can be written down or not: a full disk must not spoil it.
    logFailure('a request could not be logged', error)
  }
}

/** Keeps writes in memory and, given a folder, appends each to `requests.log` there as a JSON line before it is answered. */
export function openRequestLog(folder: string | undefined): RequestLog {
  const requests: LoggedRequest[] = []
  if (folder) mkdirSync(folder, { recursive: true })
  return {
    requests,
    write: (entry) => {
      requests.push(entry)
      if (requests.length > mostInMemory) requests.shift()
      if (folder) append(join(folder, 'requests.log'), entry)
    },
  }
}
