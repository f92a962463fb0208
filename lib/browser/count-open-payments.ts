import type { Proofs } from '@/lib/contract/ability'
import { type Filter, formatFilter } from '@/lib/contract/filter'
import { followPages } from '@/lib/contract/follow-pages'
import { matchFilter } from '@/lib/contract/match-filter'
import { call } from './call'

/** How many payments are still to be collected. `isWhole`: all that there are were looked at. */
export type OpenCount = { live: number; test: number; looked: number; isWhole: boolean }

const mostPages = 20
const longest = 8_000

/**
 * Counts the payments within `within` whose state is none of `ended` (in lower case): by a filter where that
 * is proven, else by walking the list, 20 pages or 8 seconds at most. Throws CallError.
 */
export async function countOpenPayments(
  within: Extract<Filter, { kind: 'compare' }>,
  { proofs, ended, signal }: { proofs: Proofs; ended: readonly string[]; signal: AbortSignal },
): Promise<OpenCount> {
  const canFilter = proofs[`eq:${within.field}`] === true
  const query = {
    ...(canFilter && { filter: formatFilter(within) }),
    limit: 100,
  }
  const started = performance.now()
  const follow = followPages()
  const count: OpenCount = { live: 0, test: 0, looked: 0, isWhole: false }
  let after: string | undefined
  for (let page = 0; page < mostPages && performance.now() - started < longest; page += 1) {
    const { results, continuation } = await call('listPayments', { query: { ...query, after }, signal })
    count.looked += results.length
    for (const payment of results) {
      if (!matchFilter(within, payment) || ended.includes(payment.status?.trim().toLowerCase() ?? '')) continue
      count[payment.test ? 'test' : 'live'] += 1
    }
    const next = follow(continuation)
    if (next.kind === 'end') return { ...count, isWhole: true }
    if (next.kind === 'incomplete') return count
    after = next.after
  }
  return count
}
