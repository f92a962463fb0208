import { CallError } from '@/lib/client/api-client'
import type { Continuation, Page } from '@/lib/api-contract/pagination'
import * as words from '@/lib/words/lists'
import type { WriteCount } from '../layout/app-config'

/**
 * Why a list may be incomplete: the API's reply did not say how to continue (`Continuation`), or continuing led in a
 * circle or nowhere.
 */
export type IncompleteReason =
  | (Continuation & { kind: 'incomplete' })['reason']
  | 'offset-repeated'
  | 'offset-refused'
  | 'nothing-new'
  | 'changed'

/** How far a list has been read. A 429 is retried no earlier than its `Retry-After`. */
export type PaginationState =
  | { kind: 'loading' }
  | { kind: 'more' }
  | { kind: 'complete' }
  | { kind: 'incomplete'; reason: IncompleteReason }
  | { kind: 'failed'; error: unknown }

/** Stop after this many consecutive pages without a new row. */
const longestDrought = 20

type Walk = {
  pages: readonly Page<unknown>[]
  /** The offset each page was requested with; null for the first. */
  pageParams: readonly (string | null)[]
  index: { hasMoved: boolean; drought: number }
  /** The error of the last attempt. */
  error: unknown
  isReading: boolean
  /** Whether the server's read failed, so that the next one needs a click. */
  isRefused: boolean
}

/**
 * Derives the pagination state. Only a new `nextOffset` together with `hasMore: true` continues; anything else ends
 * the list: an explicit end, missing fields, an offset that was seen or refused before, or 20 pages without a new
 * row.
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

/** The reason as the second half of a sentence. */
export function explainIncomplete(reason: IncompleteReason): string {
  return words.incompleteReasons[reason]
}

type Counts = { loaded: number; shown: number; isNarrowed: boolean }

/**
 * Describes the pagination state. `isNarrowed`: a client-side filter leaves `shown` of the loaded rows. The API gives
 * no total, so none is claimed.
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
