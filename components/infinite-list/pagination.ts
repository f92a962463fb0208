import type { Message } from '@/lib/language/runtime'
import { CallError } from '@/lib/client/api-client'
import type { Continuation, Page } from '@/lib/api-contract/pagination'
import { MAX_PAGES_WITHOUT_NEW_ROWS } from '@/lib/domain/lists/list-pages'
import type { FormatCount } from '../layout/app-config'
import * as m from '@/lib/messages/m'

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

/**
 * How far a list has been read. `isWaiting`: it goes on by itself, since a 429 is retried a few times, no earlier than its
 * `Retry-After`; otherwise somebody has to ask for it.
 */
export type PaginationState =
  | { kind: 'loading' }
  | { kind: 'more' }
  | { kind: 'complete' }
  | { kind: 'incomplete'; reason: IncompleteReason }
  | { kind: 'failed'; error: unknown; isWaiting: boolean }

type PaginationInput = {
  pages: readonly Page<unknown>[]
  /** The offset each page was requested with; null for the first. */
  pageParams: readonly (string | null)[]
  index: { hasMoved: boolean; pagesWithoutNewRows: number }
  /** The error of the last attempt. */
  error: unknown
  isFetching: boolean
  /** Whether a failed attempt will be repeated. */
  isWaiting: boolean
}

/**
 * Derives the pagination state. Only a new `nextOffset` together with `hasMore: true` continues; anything else ends
 * the list: an explicit end, missing fields, an offset that was seen or refused before, or 20 pages without a new
 * row.
 */
export function derivePagination(input: PaginationInput): PaginationState {
  const { pages, pageParams, index, error, isFetching, isWaiting } = input
  if (error !== null && error !== undefined) {
    const isRefusedOffset = error instanceof CallError && error.code === 'upstream-refused' && pages.length > 0
    return isRefusedOffset ? { kind: 'incomplete', reason: 'offset-refused' } : { kind: 'failed', error, isWaiting }
  }
  const last = pages.at(-1)
  if (isFetching || !last) return { kind: 'loading' }
  const { continuation } = last
  if (continuation.kind === 'incomplete') return continuation
  if (continuation.kind === 'end')
    return index.hasMoved ? { kind: 'incomplete', reason: 'changed' } : { kind: 'complete' }
  if (pageParams.includes(continuation.after)) return { kind: 'incomplete', reason: 'offset-repeated' }
  if (index.pagesWithoutNewRows >= MAX_PAGES_WITHOUT_NEW_ROWS) return { kind: 'incomplete', reason: 'nothing-new' }
  return { kind: 'more' }
}

/** The reasons as the second half of a sentence. */
export const incompleteReasons: Record<IncompleteReason, Message> = {
  'no-word': m.lists_incompleteReasonsNoWord,
  'no-offset': m.lists_incompleteReasonsNoOffset,
  'offset-too-long': m.lists_incompleteReasonsOffsetTooLong,
  'page-too-long': m.lists_incompleteReasonsPageTooLong,
  'offset-repeated': m.lists_incompleteReasonsOffsetRepeated,
  'offset-refused': m.lists_incompleteReasonsOffsetRefused,
  changed: m.lists_incompleteReasonsChanged,
  'nothing-new': m.lists_incompleteReasonsNothingNew,
}

type Counted = { pagination: PaginationState; loaded: number; size: number }

/**
 * Describes how far a list has been read. `isFilteredClientSide`: a client-side filter leaves `size` of the loaded
 * rows. The API gives no total, so none is claimed.
 */
export function describePagination(
  { pagination, loaded, size }: Counted,
  isFilteredClientSide: boolean,
  formatCount: FormatCount,
): string {
  const [count, shown] = [formatCount(loaded), formatCount(size)]
  if (pagination.kind === 'loading' && loaded === 0) return m.lists_loading()
  const rows = isFilteredClientSide ? m.lists_ofLoadedMatch({ shown, count }) : m.lists_loaded({ count })
  switch (pagination.kind) {
    case 'complete':
      if (loaded === 0) return m.lists_noneLabel()
      return isFilteredClientSide ? m.lists_ofAllMatch({ shown, count }) : m.lists_allLoaded({ count })
    case 'incomplete':
      return m.lists_listMayBeIncompleteAfter({ rows })
    case 'failed':
      return loaded === 0 ? m.lists_notLoaded() : m.lists_thenItFailed({ rows })
    default:
      return rows
  }
}
