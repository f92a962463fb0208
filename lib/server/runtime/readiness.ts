import { setTimeout as wait } from 'node:timers/promises'
import { areWorkersAlive } from './merchant-workers'
import { describeError, log } from './log'
import type { ErrorCode } from './app-error'
import { getStore } from '../store/store'
import { signLife } from '../store/leases'

/** Why this desk cannot work. */
export type Unreadiness = Extract<ErrorCode, 'stopping' | 'store-unavailable' | 'worker-stopped'>

/** A test write to the store; `endedAt` is null while it is running. */
type Probe = { began: number; endedAt: number | null; works: Promise<boolean> }

declare global {
  /** One per process, across Next's module graphs. */
  var debitdeskProbe: Probe | undefined
  var debitdeskUnreadiness: Unreadiness | null | undefined
}

/** A probe that takes longer means that the store doesn't work. */
const PROBE_TIMEOUT_MS = 2_000
/** How long a result is reused: one write in this time, however many ask. */
const PROBE_LIFETIME_MS = 2_000

/** Tests the store with a write that is due anyway, this process's heartbeat. */
async function writeHeartbeat(): Promise<boolean> {
  try {
    await signLife(await getStore())
    return true
  } catch (error) {
    if (globalThis.debitdeskUnreadiness !== 'store-unavailable')
      log.warn({ event: 'store-not-writable', error: describeError(error) })
    return false
  }
}

/** The latest probe, or a new one when its result is old. A stuck probe is never joined by a second. */
function probeStore(now: number): Probe {
  const last = globalThis.debitdeskProbe
  if (last && (last.endedAt === null || now - last.endedAt < PROBE_LIFETIME_MS)) return last
  const probe: Probe = { began: now, endedAt: null, works: writeHeartbeat() }
  void probe.works.then(() => {
    probe.endedAt = performance.now()
  })
  globalThis.debitdeskProbe = probe
  return probe
}

async function isStoreWritable(now: number): Promise<boolean> {
  const { began, works } = probeStore(now)
  const done = new AbortController()
  const timeout = wait(Math.max(began + PROBE_TIMEOUT_MS - now, 0), false, { signal: done.signal }).catch(() => false)
  return Promise.race([works, timeout]).finally(() => done.abort())
}

/**
 * Checks that the store is readable and writable and the workers are alive; null, or what is wrong. Takes at most two
 * seconds. Changes are logged once. `now` in milliseconds of performance.now().
 */
export async function checkReadiness(now = performance.now()): Promise<Unreadiness | null> {
  const found = globalThis.debitdeskStopping
    ? 'stopping'
    : !(await isStoreWritable(now))
      ? 'store-unavailable'
      : areWorkersAlive(now)
        ? null
        : 'worker-stopped'
  if (found !== (globalThis.debitdeskUnreadiness ?? null))
    log.warn({ event: found ? 'not-ready' : 'ready', reason: found })
  globalThis.debitdeskUnreadiness = found
  return found
}
