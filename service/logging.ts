import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tells an unexpected failure on standard error: names, codes and messages of it and its causes and where it
 * happened, without the parameters of a failed statement, which may be anybody's data or a token's hash.
 */
export function logFailure(what: string, error: unknown): void {
  const told: string[] = []
  let where = ''
  for (let one = error, depth = 0; one !== undefined && depth < 5; depth += 1) {
    if (!(one instanceof Error)) {
      told.push(typeof one === 'string' ? one : 'no error')
      break
    }
    const code = 'code' in one && typeof one.code === 'string' ? ` (${one.code})` : ''
    told.push(`${one.name}${code}: ${one.message.split('\nparams:', 1)[0]?.slice(0, 500)}`)
    where =
      one.stack
        ?.split('\n')
        .filter((line) => line.startsWith('    at '))
        .slice(0, 4)
        .join('\n') ?? where
    one = one.cause
  }
  console.error(`service: ${what}: ${told.join(', because of ')}\n${where}`)
}

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

const MAX_IN_MEMORY = 10_000

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
      if (requests.length > MAX_IN_MEMORY) requests.shift()
      if (folder) append(join(folder, 'requests.log'), entry)
    },
  }
}
