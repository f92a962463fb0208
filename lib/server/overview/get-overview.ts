import type { Session } from '../session'
import { getSettings } from '../settings'
import { type OverviewWalk, startOverviewWalk } from './walk-overview'

/** So long the figures of a walk are shown again without another; those of one that failed, or when somebody asks for new ones, less. */
const fresh = 60_000
const freshForOnce = 5_000

declare global {
  /** The latest walk of each connection; one per process. */
  var debitdeskOverviews: Map<string, OverviewWalk> | undefined
}

function isFresh({ began, end }: OverviewWalk, anew: boolean, now: number): boolean {
  if (end === null) return true
  return now - began < (anew || end.why === 'failed' ? freshForOnce : fresh)
}

/** The walk that the overview of a connection shows: the one under way, a fresh one, or a new one. */
export function getOverview(session: Session, anew: boolean, now = Date.now()): OverviewWalk {
  globalThis.debitdeskOverviews ??= new Map()
  // Asked with the user's own token, the service may show each user something else.
  const isOwn = getSettings().UPSTREAM_AUTH === 'session'
  const key = isOwn ? `${session.scope.connectionId} ${session.userId}` : session.scope.connectionId
  const known = globalThis.debitdeskOverviews.get(key)
  if (known && isFresh(known, anew, now)) return known
  const started = startOverviewWalk(session, new Date(now))
  globalThis.debitdeskOverviews.set(key, started)
  return started
}
