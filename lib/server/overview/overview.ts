import { setTimeout as wait } from 'node:timers/promises'
import { followPages } from '@/lib/domain/lists/list-pages'
import type { Overview } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { makeLedgerRules } from '../cancellations/ledger'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { callEndpoint } from '../upstream/call-endpoint'
import { getConnection } from '../upstream/connection'
import { PaymentTally } from './payment-tally'

const pageLimit = 100
const mostPages = 200
const longest = 60_000

/** Why a walk ended, and the code of what failed. */
type End = Pick<Overview, 'state' | 'why' | 'failure'>

/** A walk under way or done. `began` is in milliseconds; `changed` resolves at the next page or at the end. */
export type OverviewWalk = { began: number; end: End | null; read: () => Overview; changed: () => Promise<void> }

/** Reads one page; a service that asks to slow down is waited for as often and as long as the time allows. */
async function readPage(session: Session, after: string | undefined, until: number) {
  const query = { limit: String(pageLimit), ...(after !== undefined && { after }) }
  for (;;) {
    const left = Math.max(1, Math.ceil(until - performance.now()))
    try {
      return await callEndpoint(session, 'listPayments', { query, signal: AbortSignal.timeout(left) })
    } catch (error) {
      const isSlow = error instanceof AppError && error.code === 'upstream-slow-down'
      const pause = isSlow ? Math.max(1, error.evidence.retryAfter ?? 0) * 1_000 : Number.POSITIVE_INFINITY
      if (performance.now() + pause > until) throw error
      await wait(pause)
    }
  }
}

async function walk(session: Session, tally: PaymentTally, onPage: () => void): Promise<End> {
  const until = performance.now() + longest
  const follow = followPages()
  let isSound = true
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    if (performance.now() >= until) return { state: 'incomplete', why: 'time', failure: null }
    const answer = await readPage(session, after, until)
    tally.add(answer.results)
    onPage()
    isSound &&= answer.unreadable === 0
    const next = follow(answer.continuation)
    if (next.kind === 'end')
      return isSound
        ? { state: 'whole', why: null, failure: null }
        : { state: 'incomplete', why: 'unreadable', failure: null }
    if (next.kind === 'incomplete') return { state: 'incomplete', why: 'list', failure: null }
    after = next.after
  }
  return { state: 'incomplete', why: 'bound', failure: null }
}

/** Begins to count: at most 20,000 payments in at most a minute, one page after the other. Never throws. */
export function startOverviewWalk(session: Session, now = new Date()): OverviewWalk {
  const settings = getSettings()
  const tally = new PaymentTally(
    makeLedgerRules(getConnection(session.scope.connectionId).rules, settings.CANCEL_GRACE),
    settings.SCHEME_ZONE,
    now,
  )
  let wake = () => {}
  let next = new Promise<void>((resolve) => (wake = resolve))
  const tell = () => {
    wake()
    next = new Promise<void>((resolve) => (wake = resolve))
  }
  const walking: OverviewWalk = {
    began: now.getTime(),
    end: null,
    read: () => ({
      ...(walking.end ?? { state: 'walking', why: null, failure: null }),
      counted: tally.counted,
      bound: mostPages * pageLimit,
      asOf: now.toISOString(),
      figures: tally.figures(),
    }),
    changed: () => (walking.end ? Promise.resolve() : next),
  }
  void walk(session, tally, tell)
    .catch((error: unknown): End => {
      const code = error instanceof AppError ? error.code : 'internal'
      return { state: 'incomplete', why: 'failed', failure: code }
    })
    .then((end) => {
      walking.end = end
      tell()
    })
  return walking
}

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
