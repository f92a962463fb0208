import { formatFilter } from '@/lib/api-contract/filter'
import { type Closing, findClosing } from '@/lib/domain/cancellations/closing-filter'
import { parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import { capabilitiesFor } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import type { ClosingCount, Overview } from '@/lib/domain/overview'
import type { Session } from '../auth/session'
import { readLastChange } from '../changes/event-streams'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { callEndpoint } from '../upstream/call-endpoint'
import { proveCapabilities, readCapabilities } from '../upstream/capabilities'
import { getConnection } from '../upstream/connection'
import { countKey, findOverview, OVERVIEW_LIFETIME_MS } from './overview'

const PAGE_SIZE = 100
/** The navigation shows "300+" past this. */
const MAX_PAGES = 3
const TIMEOUT_MS = 8_000
const FRESH_MS = 60_000
/** At most one count a second, however often something changes. */
const MIN_AGE_MS = 1_000

const unknown: ClosingCount = { count: null, isComplete: false }

/** Counts payments by a filter that the service is known to apply. Those without an id cannot be recognised and always count. */
async function countFiltered(session: Session, { filter, asked }: Closing): Promise<ClosingCount> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const follow = followPages()
  const ids = new Set<string>()
  let unnamed = 0
  let unreadable = 0
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { filter: formatFilter(asked), limit: String(PAGE_SIZE), ...(after !== undefined && { after }) }
    const reply = await callEndpoint(session, 'listPayments', { query, signal })
    for (const payment of reply.results.filter((one) => matchesFilter(filter, one)))
      if (payment.id === null) unnamed += 1
      else ids.add(payment.id)
    unreadable += reply.unreadable
    const next = follow(reply.continuation)
    if (next.kind === 'end') return { count: ids.size + unnamed, isComplete: unreadable === 0 }
    if (next.kind === 'incomplete') return { count: ids.size + unnamed, isComplete: false }
    after = next.after
  }
  return { count: ids.size + unnamed, isComplete: false }
}

function sumClosing({ state, figures }: Overview): ClosingCount {
  return { count: figures.reduce((total, { closing }) => total + closing.count, 0), isComplete: state === 'whole' }
}

async function count(session: Session, now: number, mayProbe: boolean): Promise<ClosingCount> {
  const { SCHEME_ZONE: zone, CANCEL_CUTOFF } = getSettings()
  const { cancellable } = getConnection(session.scope.connectionId).rules
  const closing = findClosing(now, cancellable, { rules: parseCutOffRules(CANCEL_CUTOFF) ?? [], zone })
  if (!closing?.isToday) return { count: 0, isComplete: true }
  const needed = capabilitiesFor(closing.asked)
  const proofs = await (mayProbe
    ? proveCapabilities(session, 'listPayments', needed)
    : readCapabilities(session, 'listPayments'))
  if (needed.every((capability) => proofs[capability] === true)) return countFiltered(session, closing)
  // Reading every payment for a number in the navigation would be too much: the overview's count is used if there is one.
  const last = findOverview(session)
  return last?.end && now - last.startedAt < OVERVIEW_LIFETIME_MS ? sumClosing(last.read()) : unknown
}

declare global {
  var debitdeskClosing: Map<string, { at: number; result: Promise<ClosingCount> }> | undefined
}

/**
 * How many payments close today: at most a minute old, and after a change that this desk has heard of a second. `mayProbe`:
 * nobody may have opened a page lately that had the list probed. Never throws for a fault of the service.
 */
export function countClosing(session: Session, now = Date.now(), mayProbe = false): Promise<ClosingCount> {
  globalThis.debitdeskClosing ??= new Map()
  const key = `${countKey(session)}${mayProbe ? ' probed' : ''}`
  const known = globalThis.debitdeskClosing.get(key)
  const isOutdated = known && known.at <= readLastChange(session.scope.connectionId) && now - known.at >= MIN_AGE_MS
  if (known && !isOutdated && now - known.at < FRESH_MS) return known.result
  const result = count(session, now, mayProbe).catch((error: unknown) => {
    if (error instanceof AppError) return unknown
    globalThis.debitdeskClosing?.delete(key)
    throw error
  })
  globalThis.debitdeskClosing.set(key, { at: now, result })
  return result
}
