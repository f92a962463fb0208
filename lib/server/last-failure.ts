import type { Failure, FailureCode } from './failure'

/** What went wrong last with a service, for the overview; kept in memory, gone with the process. */
export type LastFailure = { code: FailureCode; at: Date }

declare global {
  /** By connection; one per process. */
  var debitdeskLastFailures: Map<string, LastFailure> | undefined
}

const notable: readonly FailureCode[] = [
  'upstream-unreachable',
  'upstream-timeout',
  'upstream-bad-reply',
  'upstream-credential',
  'upstream-error',
  'upstream-slow-down',
]

/** Remembers a failure of the service itself; refusals of what was asked are none. */
export function noteFailure(connectionId: string, { code }: Failure, now = new Date()): void {
  if (!notable.includes(code)) return
  globalThis.debitdeskLastFailures ??= new Map()
  globalThis.debitdeskLastFailures.set(connectionId, { code, at: now })
}

/** The latest failure since this process started; null when there was none. */
export function readLastFailure(connectionId: string): LastFailure | null {
  return globalThis.debitdeskLastFailures?.get(connectionId) ?? null
}
