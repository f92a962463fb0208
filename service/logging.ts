import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Logs an unexpected error to standard error: names, codes and messages of it and its causes, and its stack, without the
 * parameters of a failed statement, which may contain personal data or a token's hash.
 */
export function logFailure(what: string, error: unknown): void {
  const lines: string[] = []
  let where = ''
  for (let one = error, depth = 0; one !== undefined && depth < 5; depth += 1) {
    if (!(one instanceof Error)) {
      lines.push(typeof one === 'string' ? one : 'no error')
      break
    }
    const code = 'code' in one && typeof one.code === 'string' ? ` (${one.code})` : ''
    lines.push(`${one.name}${code}: ${one.message.split('\nparams:', 1)[0]?.slice(0, 500)}`)
    where =
      one.stack
        ?.split('\n')
        .filter((line) => line.startsWith('    at '))
        .slice(0, 4)
        .join('\n') ?? where
    one = one.cause
  }
  console.error(`service: ${what}: ${lines.join(', because of ')}\n${where}`)
}

/**
 * A write of an authenticated caller that the contract allows, and its result. The authority on how often a payment was
 * cancelled.
 */
export type LoggedRequest = {
  at: string
  method: string
  /** With its query; at most 300 characters. */
  path: string
  status: number
  idempotencyKey: string | null
  /**
   * `accepted` (a cancellation that takes effect), `accepted-again` (accepted before, no further effect), `created`,
   * `replayed` (a stored reply), `refused` and so on. Two `accepted` lines for one payment would be a second effective
   * cancellation.
   */
  outcome: string
  /** The body of a cancellation. */
  body: string | null
}

export type RequestLog = { requests: LoggedRequest[]; write: (entry: LoggedRequest) => void }

const MAX_IN_MEMORY = 10_000

/** Enough for some 100,000 writes; at most twice as much is kept. */
const MAX_BYTES = 50_000_000

function append(path: string, entry: LoggedRequest, maxBytes: number): void {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size > maxBytes) renameSync(path, path.replace(/\.log$/u, '.1.log'))
    appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch (error) {
    // A full disk must not break the reply, which is correct whether it is logged or not.
    logFailure('a request could not be logged', error)
  }
}

/**
 * Keeps writes in memory and, given a folder, appends each to `requests.log` as a JSON line before the reply is sent. A full
 * one becomes `requests.1.log`.
 */
export function openRequestLog(folder: string | undefined, maxBytes = MAX_BYTES): RequestLog {
  const requests: LoggedRequest[] = []
  if (folder) mkdirSync(folder, { recursive: true })
  return {
    requests,
    write: (entry) => {
      requests.push(entry)
      if (requests.length > MAX_IN_MEMORY) requests.shift()
      if (folder) append(join(folder, 'requests.log'), entry, maxBytes)
    },
  }
}
