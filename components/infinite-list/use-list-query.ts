'use client'

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CallError } from '@/lib/client/api-client'
import { changePages, type ListPages } from '@/lib/client/list-queries'
import type { Page } from '@/lib/api-contract/pagination'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import { type ClientSideRules, ClientSideRows } from '@/lib/client/client-side-rows'
import { RowIndex } from '@/lib/client/row-index'
import { derivePagination, type PaginationState } from './pagination'

/** Rows kept loaded below the last visible one. */
const READ_AHEAD_ROWS = 200
/** Pages loaded without progress (a matching row, a scroll) before the user must ask for more. */
const MAX_PAGES_WITHOUT_PROGRESS = 10
const MAX_RETRIES = 3
/** How long an unused list stays cached, for when the reader comes back. */
const CACHE_TIME_MS = 30 * 60_000

type Identified = { id: string | null }

export type ListSource<Row> = {
  key: readonly unknown[]
  /**
   * Reads one page; `after` is null for the first. `quiet`: nobody asked for it, so that it doesn't extend the session.
   * Throws CallError.
   */
  fetchPage: (after: string | null, signal: AbortSignal, quiet?: boolean) => Promise<Page<Row>>
  /** Applied to the loaded rows. */
  rules?: ClientSideRules<Row> | null
  /** Why the server could not read the first page; then the browser waits for the user to retry. */
  failure?: SerializedFailure | null
  /** Milliseconds. */
  gcTime?: number
}

/** A list as the page sees it: rows by index, its pagination state, and operations on it. */
export type RowList<Row> = {
  /** The number of shown rows: all loaded ones, or those that the client-side rules let through. */
  size: number
  loaded: number
  repeated: number
  unreadable: number
  pagination: PaginationState
  /** Whether the client-side rules have seen all loaded rows; until then `size` is a part. */
  isProcessed: boolean
  rowAt: (index: number) => Row | undefined
  keyAt: (index: number) => string
  /** The index of the row with that key; -1 if it is not shown. */
  indexOf: (key: string) => number
  /** A loaded row, shown or not. */
  get: (key: string) => Row | undefined
  /** The loaded pages, which never change: a row that is replaced is in another page. */
  pages: readonly Page<Row>[]
  /** Whether the client-side rules accept a row. */
  matchesRules: (row: Row) => boolean
  /** The offset of the last loaded page; null if that is the first. */
  lastOffset: string | null
  /** The offset of the page that contains a loaded row; null for the first. */
  offsetOf: (key: string) => string | null
  /** Loads more when fewer than 200 rows lie beyond `end`, the index of the last visible row. */
  loadUntil: (end: number) => void
  /** "Load more" and "Retry". */
  loadMore: () => void
  /** Reads one page without adding it to the list. */
  fetchPage: ListSource<Row>['fetchPage']
  /** Updates the loaded pages (`changePages`). */
  updatePages: (update: (data: ListPages<Row>) => ListPages<Row>) => void
}

const none: readonly never[] = []

/** Whether the provider asked to wait. */
function isRateLimited(error: unknown): boolean {
  return error instanceof CallError && error.status === 429
}

/** How far the reader has come in a view, and how many pages were loaded then. */
type Progress = { view: object | null; size: number; end: number; pages: number }

const noProgress = { view: null, size: 0, end: 0, pages: 0 }

/** A list that loads more pages as the reader scrolls. */
export function useListQuery<Row extends Identified>(source: ListSource<Row>): RowList<Row> {
  const { key: queryKey, fetchPage, rules = null, failure = null, gcTime = CACHE_TIME_MS } = source
  const client = useQueryClient()
  const sourceKey = JSON.stringify(queryKey)
  const [retriedKey, setRetriedKey] = useState<string | null>(null)
  const hasFailed = failure !== null && retriedKey !== sourceKey && client.getQueryData(queryKey) === undefined
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ continuation }) => (continuation.kind === 'more' ? continuation.after : undefined),
    enabled: !hasFailed,
    // Pages are large and only `changePages` modifies them: no structural sharing, no refetching.
    structuralSharing: false,
    staleTime: 'static',
    gcTime,
    retry: (count, error) => isRateLimited(error) && count < MAX_RETRIES,
  })
  const pages = query.data?.pages ?? none
  const pageParams = (query.data?.pageParams ?? none) as readonly (string | null)[]

  // oxlint-disable-next-line react/exhaustive-deps -- an index belongs to one reading of a list
  const index = useMemo(() => new RowIndex<Row>(({ id }) => id), [sourceKey])
  // oxlint-disable-next-line react/exhaustive-deps -- rules of the same name are the same
  const clientSideRows = useMemo(() => rules && new ClientSideRows(index, rules), [index, rules?.name])
  const [slice, nextSlice] = useReducer((count: number) => count + 1, 0)
  const { isWhole: isProcessed, version } = useMemo(() => {
    const replaced = index.update(pages)
    clientSideRows?.replace(replaced)
    return { isWhole: clientSideRows?.advance() ?? true, version: {} }
    // oxlint-disable-next-line react/exhaustive-deps -- a further slice
  }, [index, clientSideRows, pages, slice])
  useEffect(() => {
    if (isProcessed || !clientSideRows) return undefined
    // Nothing is rendered before there is more to see; then at once: a click must not meet the new order in the old rows.
    const goOn = () => {
      const before = clientSideRows.size
      if (clientSideRows.advance() || clientSideRows.size > before) flushSync(nextSlice)
      else timer = setTimeout(goOn)
    }
    let timer = setTimeout(goOn)
    return () => clearTimeout(timer)
  }, [clientSideRows, isProcessed, version])

  const serverError = useMemo(() => failure && CallError.of(failure), [failure])
  const error = query.failureReason ?? (hasFailed ? serverError : null)
  // Not `isFetching`: a retry is paused while nobody sees the page.
  const isWaiting = query.fetchStatus !== 'idle'
  const pagination = derivePagination({ pages, pageParams, index, error, isFetching: query.isFetching, isWaiting })
  const size = clientSideRows ? clientSideRows.size : index.size
  // Progress belongs to one view and is reset for the next.
  const view = clientSideRows ?? index
  const progress = useRef<Progress>(noProgress)
  useEffect(
    () => () => {
      progress.current = noProgress
    },
    [view],
  )

  return useMemo(() => {
    const positionAt = (at: number) => (clientSideRows ? (clientSideRows.positionAt(at) ?? -1) : at)
    // Joins a request that is under way.
    const joinOptions = { cancelRefetch: false }
    const wantsMore = ({ data, failureReason: error }: Pick<typeof query, 'data' | 'failureReason'>): boolean => {
      if (!data || clientSideRows || progress.current.view !== view) return false
      index.update(data.pages)
      const read = { pages: data.pages, pageParams: data.pageParams as (string | null)[], index, error }
      const { kind } = derivePagination({ ...read, isFetching: false, isWaiting: false })
      return kind === 'more' && index.size < progress.current.end + READ_AHEAD_ROWS
    }
    /** Without client-side rules the next page is requested before this one is rendered. */
    const loadMorePages = async () => {
      let read = await (pages.length === 0 ? query.refetch(joinOptions) : query.fetchNextPage(joinOptions))
      while (wantsMore(read)) read = await query.fetchNextPage(joinOptions)
    }
    return {
      size,
      loaded: index.size,
      repeated: index.repeated,
      unreadable: index.unreadable,
      pagination,
      isProcessed,
      rowAt: (at) => index.at(positionAt(at)),
      keyAt: (at) => index.keyAt(positionAt(at)),
      indexOf: (key) => {
        const position = index.positionOf(key)
        return position < 0 || !clientSideRows ? position : clientSideRows.indexOf(position)
      },
      get: (key) => index.at(index.positionOf(key)),
      pages,
      matchesRules: (row) => rules?.matches?.(row) ?? true,
      lastOffset: pageParams.at(-1) ?? null,
      offsetOf: (key) => {
        const page = pages.findIndex(({ results }) => results.some(({ id }) => id === key))
        return pageParams[page] ?? null
      },
      loadUntil: (end) => {
        const last = progress.current.view === view ? progress.current : { ...noProgress, pages: pages.length }
        const isProgress = size !== last.size || end > last.end || !clientSideRows
        progress.current = {
          view,
          size,
          end: Math.max(end, last.end),
          pages: isProgress ? pages.length : last.pages,
        }
        if (
          pagination.kind === 'more' &&
          isProcessed &&
          size < end + READ_AHEAD_ROWS &&
          pages.length - progress.current.pages < MAX_PAGES_WITHOUT_PROGRESS
        )
          void loadMorePages()
      },
      loadMore: () => {
        progress.current = { ...progress.current, pages: pages.length }
        if (hasFailed) setRetriedKey(sourceKey)
        else if (!query.isFetching && (pagination.kind === 'more' || pagination.kind === 'failed')) void loadMorePages()
      },
      fetchPage,
      updatePages: (update) => changePages(client, queryKey, update),
    }
    // oxlint-disable-next-line react/exhaustive-deps -- what else it uses changes with these
  }, [version, size, pagination.kind, error, query.fetchStatus, hasFailed, sourceKey])
}
