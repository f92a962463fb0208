declare global {
  /** By connection; on globalThis because Next loads this module once per graph. */
  var debitdeskForeground: Map<string, { running: number; endedAt: number }> | undefined
}

/** So long after a request that somebody waited for, another is likely. In milliseconds. */
const lingers = 150

/** Does what somebody waits for; meanwhile work that nobody waits for goes slowly. */
export async function inForeground<Result>(connectionId: string, task: () => Promise<Result>): Promise<Result> {
  const all = (globalThis.debitdeskForeground ??= new Map())
  const own = all.get(connectionId) ?? { running: 0, endedAt: 0 }
  all.set(connectionId, own)
  own.running += 1
  try {
    return await task()
  } finally {
    own.running -= 1
    own.endedAt = performance.now()
  }
}

/** Whether somebody waits for the service of this connection, or did a moment ago. */
export function isForegroundBusy(connectionId: string): boolean {
  const own = globalThis.debitdeskForeground?.get(connectionId)
  return own !== undefined && (own.running > 0 || performance.now() - own.endedAt < lingers)
}
