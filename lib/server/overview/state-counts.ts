import { setTimeout as wait } from 'node:timers/promises'
import type { StateCounts } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { normalizeState } from '../cancellations/ledger'
import { findCancelledSince } from '../cancellations/queries'
import { AppError } from '../runtime/app-error'
import { getConnection } from '../upstream/connection'
import { findOverview, getOverview, OVERVIEW_LIFETIME_MS, type OverviewCount } from './overview'

/** What this desk cancels is known without another walk, which would slow a bulk down. */
const RENEW_MS = 5 * 60_000
/** A proxy in front of the desk gives up after a minute. */
const MAX_WAIT_MS = 25_000
/** How far the clocks of desks may differ. A payment that was cancelled before it was counted changes nothing. */
const CLOCK_SKEW_MS = 60_000

/** Nor is a list that could not be counted whole walked again sooner. */
const isRecent = ({ startedAt }: OverviewCount, now: number) => now - startedAt < OVERVIEW_LIFETIME_MS

/** The states of a whole count, with what this desk has found cancelled since; null where that can't be told. */
async function readStates({ scope }: Session, count: OverviewCount): Promise<StateCounts> {
  const [cancelled = 'cancelled'] = getConnection(scope.connectionId).rules.cancelled
  try {
    const since = await findCancelledSince(scope, new Date(count.startedAt - CLOCK_SKEW_MS))
    const states = count.countStates(
      new Map([...since].map(([key, status]) => [key, normalizeState(status ?? cancelled)])),
    )
    return states && { states, asOf: new Date(count.startedAt).toISOString() }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The last whole count, if it was recent: the one before while another is made, or where that did not become whole. */
function findWhole(session: Session, now: number): OverviewCount | null {
  const last = findOverview(session)
  const whole = last?.end?.state === 'whole' ? last : last?.lastWhole
  return whole && isRecent(whole, now) ? whole : null
}

/** How many payments are in each state, by the last whole count; null unless it was recent. Counts nothing. */
export async function findStateCounts(session: Session, now = Date.now()): Promise<StateCounts> {
  const whole = findWhole(session, now)
  return whole && readStates(session, whole)
}

/**
 * The same, counted as for the overview where nothing is known; `refresh`: also where it was counted some minutes ago. Waits
 * for the count for a while, then answers with what was known before.
 */
export async function readStateCounts(session: Session, refresh: boolean, now = Date.now()): Promise<StateCounts> {
  const whole = findWhole(session, now)
  if (whole && (!refresh || now - whole.startedAt < RENEW_MS)) return readStates(session, whole)
  const last = findOverview(session)
  const { why = null } = last?.end ?? {}
  const isFutile = last !== undefined && why !== null && why !== 'failed' && isRecent(last, now)
  if (!isFutile) await waitForEnd(getOverview(session, false, now))
  return findStateCounts(session, now)
}

async function waitForEnd(count: OverviewCount): Promise<void> {
  const isOver = wait(MAX_WAIT_MS, true)
  while (count.end === null) if (await Promise.race([isOver, count.changed()])) return
}
