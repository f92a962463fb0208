import { setTimeout as wait } from 'node:timers/promises'
import { followPages } from '@/lib/domain/lists/list-pages'
import { findClosing } from '@/lib/domain/cancellations/closing-filter'
import { dayInZone } from '@/lib/domain/dates/date'
import type { Overview } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { makeLedgerRules } from '../cancellations/ledger'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { callEndpoint } from '../upstream/call-endpoint'
import { getConnection, needsPersonsToken } from '../upstream/connection'
import { PaymentTally } from './payment-tally'

const PAGE_SIZE = 100
const MAX_PAGES = 200
const MAX_DURATION_MS = 60_000

type OverviewEnd = Pick<Overview, 'state' | 'why' | 'failure'>

/** A count in progress or done. `startedAt` in ms; `changed` resolves at the next page or at the end. */
export type OverviewCount = {
  startedAt: number
  end: OverviewEnd | null
  read: () => Overview
  countStates: PaymentTally['countStates']
  /** The last whole count before this one. */
  lastWhole: OverviewCount | null
  changed: () => Promise<void>
}

/** Waits this many milliseconds. */
type Pause = (ms: number) => Promise<void>

/** Reads one page; after a 429 it pauses and retries as long as the time allows. */
async function readPage(session: Session, after: string | undefined, until: number, pauseFor: Pause) {
  const query = { limit: String(PAGE_SIZE), ...(after !== undefined && { after }) }
  for (;;) {
    const remaining = Math.max(1, Math.ceil(until - performance.now()))
    try {
      return await callEndpoint(session, 'listPayments', { query, signal: AbortSignal.timeout(remaining) })
    } catch (error) {
      const isSlow = error instanceof AppError && error.code === 'upstream-slow-down'
      const pause = isSlow ? Math.max(1, error.evidence.retryAfter ?? 0) * 1_000 : Number.POSITIVE_INFINITY
      if (performance.now() + pause > until) throw error
      await pauseFor(pause)
    }
  }
}

async function countPayments(
  session: Session,
  tally: PaymentTally,
  onPage: () => void,
  pauseFor: Pause,
): Promise<OverviewEnd> {
  const until = performance.now() + MAX_DURATION_MS
  const follow = followPages()
  let allReadable = true
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    if (performance.now() >= until) return { state: 'incomplete', why: 'time', failure: null }
    const reply = await readPage(session, after, until, pauseFor)
    tally.add(reply.results)
    onPage()
    allReadable &&= reply.unreadable === 0
    const next = follow(reply.continuation)
    if (next.kind === 'end') {
      if (!allReadable) return { state: 'incomplete', why: 'unreadable', failure: null }
      return tally.hasMoved
        ? { state: 'incomplete', why: 'list', failure: null }
        : { state: 'whole', why: null, failure: null }
    }
    if (next.kind === 'incomplete') return { state: 'incomplete', why: 'list', failure: null }
    after = next.after
  }
  return { state: 'incomplete', why: 'bound', failure: null }
}

/** Starts counting: up to 20,000 payments within a minute. Never throws. */
export function startOverviewCount(session: Session, now = new Date()): OverviewCount {
  const settings = getSettings()
  const zone = settings.SCHEME_ZONE
  const { rules } = getConnection(session.scope.connectionId)
  const ledgerRules = makeLedgerRules(rules, settings)
  const closing = findClosing(now.getTime(), rules.cancellable, ledgerRules.cutOffs)
  const tally = new PaymentTally(ledgerRules, zone, now, closing)
  let wake = () => {}
  let next = new Promise<void>((resolve) => (wake = resolve))
  const notify = () => {
    wake()
    next = new Promise<void>((resolve) => (wake = resolve))
  }
  let resumesAt: number | null = null
  async function pauseFor(ms: number): Promise<void> {
    resumesAt = performance.now() + ms
    notify()
    await wait(ms)
    resumesAt = null
    notify()
  }
  const count: OverviewCount = {
    startedAt: now.getTime(),
    end: null,
    read: () => ({
      ...(count.end ?? { state: 'walking', why: null, failure: null }),
      counted: tally.counted,
      resumesIn: resumesAt && Math.max(1, Math.ceil((resumesAt - performance.now()) / 1_000)),
      bound: MAX_PAGES * PAGE_SIZE,
      asOf: now.toISOString(),
      today: dayInZone(now.getTime(), zone),
      closing: closing && { day: closing.day, isToday: closing.isToday },
      figures: tally.figures(),
    }),
    countStates: (now) => tally.countStates(now),
    changed: () => (count.end ? Promise.resolve() : next),
    lastWhole: null,
  }
  void countPayments(session, tally, notify, pauseFor)
    .catch((error: unknown): OverviewEnd => {
      const code = error instanceof AppError ? error.code : 'internal'
      return { state: 'incomplete', why: 'failed', failure: code }
    })
    .then((end) => {
      count.end = end
      notify()
    })
  return count
}

/** How long a count is reused; shorter after a failure or if the user asks for new figures. */
const FRESH_MS = 60_000
const FRESH_ON_REQUEST_MS = 5_000
/** Older counts say too little, and each holds the ids of its payments. */
export const OVERVIEW_LIFETIME_MS = 15 * 60_000

declare global {
  /** The latest count per key. Global because Next loads this module once per module graph. */
  var debitdeskOverviews: Map<string, OverviewCount> | undefined
}

function isFresh({ startedAt, end }: OverviewCount, refresh: boolean, now: number): boolean {
  if (end === null) return true
  return now - startedAt < (refresh || end.why === 'failed' ? FRESH_ON_REQUEST_MS : FRESH_MS)
}

/** What a count belongs to: it says nothing of a merchant at another address or under other rules. With the user's own token the upstream API may show each user something else. */
export function countKey(session: Session): string {
  const { connectionId, revision } = getConnection(session.scope.connectionId)
  return `${connectionId} ${revision}${needsPersonsToken(connectionId) ? ` ${session.userId}` : ''}`
}

/** Whether a key is of the same merchant at an earlier address or under earlier rules. */
function isOutdated(key: string, { scope }: Session): boolean {
  const { connectionId, revision } = getConnection(scope.connectionId)
  const [id, of] = key.split(' ')
  return id === connectionId && of !== String(revision)
}

/** Drops what is too old to be used, of every merchant. */
function dropOld(counts: Map<string, OverviewCount>, now: number): void {
  const isOld = ({ startedAt }: OverviewCount) => now - startedAt >= OVERVIEW_LIFETIME_MS
  for (const [key, count] of counts) {
    if (count.end !== null && isOld(count)) counts.delete(key)
    if (count.lastWhole && isOld(count.lastWhole)) count.lastWhole = null
  }
}

/** The last count, if there is one. */
export function findOverview(session: Session): OverviewCount | undefined {
  return globalThis.debitdeskOverviews?.get(countKey(session))
}

/** The count for the overview: the running one, a recent one, or a new one. */
export function getOverview(session: Session, refresh: boolean, now = Date.now()): OverviewCount {
  globalThis.debitdeskOverviews ??= new Map()
  dropOld(globalThis.debitdeskOverviews, now)
  const key = countKey(session)
  const existing = globalThis.debitdeskOverviews.get(key)
  if (existing && isFresh(existing, refresh, now)) return existing
  const started = startOverviewCount(session, new Date(now))
  started.lastWhole = existing?.end?.state === 'whole' ? existing : (existing?.lastWhole ?? null)
  if (existing) existing.lastWhole = null
  for (const other of globalThis.debitdeskOverviews.keys())
    if (isOutdated(other, session)) globalThis.debitdeskOverviews.delete(other)
  globalThis.debitdeskOverviews.set(key, started)
  return started
}
