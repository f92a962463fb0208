import type { StateCounts } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { normalizeState } from '../cancellations/ledger'
import { findCancelledSince } from '../cancellations/queries'
import { AppError } from '../runtime/app-error'
import { getConnection } from '../upstream/connection'
import { findOverview, getOverview, type OverviewCount } from './overview'

/** Counts older than this say too little. Nor is a list that could not be counted whole walked again sooner. */
const FRESH_MS = 15 * 60_000
/** How far the clocks of desks may differ. A payment that was cancelled before it was counted changes nothing. */
const CLOCK_SKEW_MS = 60_000

const isRecent = ({ startedAt }: OverviewCount, now: number) => now - startedAt < FRESH_MS

/** The states of a whole count, with what this desk has found cancelled since; null where that can't be told. */
async function readStates({ scope }: Session, count: OverviewCount): Promise<StateCounts> {
  const [cancelled = 'cancelled'] = getConnection(scope.connectionId).rules.cancelled
  try {
    const since = await findCancelledSince(scope, new Date(count.startedAt - CLOCK_SKEW_MS))
    return count.countStates(new Map([...since].map(([key, status]) => [key, normalizeState(status ?? cancelled)])))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** How many payments are in each state, by the last count; null unless it was recent and whole. Counts nothing. */
export async function findStateCounts(session: Session, now = Date.now()): Promise<StateCounts> {
  const last = findOverview(session)
  return last?.end?.state === 'whole' && isRecent(last, now) ? readStates(session, last) : null
}

/**
 * The same, counted as for the overview where nothing is known; `refresh`: also where the overview would count again.
 * Waits for the count, at most a minute.
 */
export async function readStateCounts(session: Session, refresh: boolean, now = Date.now()): Promise<StateCounts> {
  const known = refresh ? null : await findStateCounts(session, now)
  if (known) return known
  const last = findOverview(session)
  const { why = null } = last?.end ?? {}
  if (last && why !== null && why !== 'failed' && isRecent(last, now)) return null
  const count = getOverview(session, false, now)
  while (count.end === null) await count.changed()
  return count.end.state === 'whole' ? readStates(session, count) : null
}
