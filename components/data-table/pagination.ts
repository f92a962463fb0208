import { CallError } from '@/lib/client/api-client'
import type { Continuation, Page } from '@/lib/api-contract/pagination'
import * as words from '@/lib/words/lists'
import type { WriteCount } from '../layout/app-config'

/** Why a list may be incomplete: the service's own words did not lead on (`Continuation`), or led in a circle or nowhere. */
export type IncompleteReason =
  | (Continuation & { kind: 'incomplete' })['reason']
  | 'offset-repeated'
  | 'offset-refused'
  | 'nothing-new'
  | 'changed'

/** How far a list has been read. A failure of 429 repeats itself, not before the moment that the service named. */
export type PaginationState =
  | { kind: 'loading' }
  | { kind: 'more' }
  | { kind: 'complete' }
  | { kind: 'incomplete'; reason: IncompleteReason }
  | { kind: 'failed'; error: unknown }

/** A service that goes on for so many pages without a new row is going nowhere. */
const longestDrought = 20

type Walk = {
  pages: readonly Page<unknown>[]
  /** What each page came for; null is the first. */
  pageParams: readonly (string | null)[]
  index: { hasMoved: boolean; drought: number }
  /** What the last attempt failed with. */
  error: unknown
  isReading: boolean
  /** Whether nothing is read until a person asks for it. */
  isRefused: boolean
}

/**
 * Reads the state of a walk. It goes on only by a fresh `nextOffset` beside a true `hasMore`, and ends with anything else:
 * a literal end, missing words, an offset seen before or refused, twenty pages without a new row.
 */
export function derivePagination({ pages, pageParams, index, error, isReading, isRefused }: Walk): PaginationState {
  if (error !== null && error !== undefined) {
    const isRefusedOffset = error instanceof CallError && error.code === 'upstream-refused' && pages.length > 0
    return isRefusedOffset ? { kind: 'incomplete', reason: 'offset-refused' } : { kind: 'failed', error }
  }
  const last = pages.at(-1)
  if (isReading || isRefused || !last) return { kind: 'loading' }
  const { continuation } = last
  if (continuation.kind === 'incomplete') return continuation
  if (continuation.kind === 'end')
    return index.hasMoved ? { kind: 'incomplete', reason: 'changed' } : { kind: 'complete' }
  if (pageParams.includes(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
  if (index.drought >= longestDrought) return { kind: 'incomplete', reason: 'nothing-new' }
  return { kind: 'more' }
}

/** Why a list may be incomplete, as the second half of a sentence. */
export function explainIncomplete(reason: IncompleteReason): string {
  return words.incompleteReasons[reason]
}

type Counts = { loaded: number; shown: number; isNarrowed: boolean }

/**
 * The state of the walk in a few words. `isNarrowed`: a filter works on the loaded rows only, of which
 * `shown` are left; no total is ever invented, for the interface has none.
 */
export function describePagination(
  walk: PaginationState,
  { loaded, shown, isNarrowed }: Counts,
  formatCount: WriteCount,
): string {
  const count = formatCount(loaded)
  if (walk.kind === 'loading' && loaded === 0) return words.loading
  const rows = isNarrowed ? words.ofLoadedMatch(formatCount(shown), count) : words.loaded(count)
  switch (walk.kind) {
    case 'complete':
      if (loaded === 0) return words.noneLabel
      return isNarrowed ? words.ofAllMatch(formatCount(shown), count) : words.allLoaded(count)
    case 'incomplete':
      return words.listMayBeIncompleteAfter(rows)
    case 'failed':
      return loaded === 0 ? words.notLoaded : words.thenItFailed(rows)
    default:
      return rows
  }
}
