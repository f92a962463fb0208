import { setTimeout as wait } from 'node:timers/promises'
import { areWorkersAlive } from './merchant-workers'
import { describeError, log } from './log'
import type { ErrorCode } from './app-error'
import { getStore } from '../store/store'
import { signLife } from '../store/leases'

/** Why this desk cannot do its work. */
export type Unreadiness = Extract<ErrorCode, 'stopping' | 'store-unavailable' | 'worker-stopped'>

/** A write of the store that was begun to see whether it works; `endedAt` is null while it is under way. */
type Probe = { began: number; endedAt: number | null; works: Promise<boolean> }

declare global {
  /** One per process, in whichever of Next's module graphs it is asked for. */
  var debitdeskProbe: Probe | undefined
  var debitdeskUnreadiness: Unreadiness | null | undefined
}

/** A probe that takes longer, in milliseconds, says that the store does not work. */
const deadline = 2_000
/** How long what a probe found counts, in milliseconds: however many ask, one write is made in that time. */
const probeLives = 2_000

/** Leaves the desk's sign of life in the store: a write that has to be made anyway. */
async function write(): Promise<boolean> {
  try {
    await signLife(await getStore())
    return true
  } catch (error) {
    if (globalThis.debitdeskUnreadiness !== 'store-unavailable')
      log.warn({ event: 'store-not-writable', error: describeError(error) })
    return false
  }
}

/** The latest probe; a new one where its result is old. One that is stuck is never joined by a second. */
function probeStore(now: number): Probe {
  const last = globalThis.debitdeskProbe
  if (last && (last.endedAt === null || now - last.endedAt < probeLives)) return last
  const probe: Probe = { began: now, endedAt: null, works: write() }
  void probe.works.then(() => {
    probe.endedAt = performance.now()
  })
  globalThis.debitdeskProbe = probe
  return probe
}

async function isStoreWritable(now: number): Promise<boolean> {
  const { began, works } = probeStore(now)
  const over = new AbortController()
  const late = wait(Math.max(began + deadline - now, 0), false, { signal: over.signal }).catch(() => false)
  return Promise.race([works, late]).finally(() => over.abort())
}

/**
 * Whether this desk can read and write its store, and whether its workers are alive: null, or what is wrong. Takes two
 * seconds at most. A change is logged once. `now` in milliseconds of performance.now().
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
