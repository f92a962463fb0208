'use client'

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { CallError } from '@/lib/client/api-client'
import { changePages, type ListPages } from '@/lib/client/list-queries'
import type { Page } from '@/lib/api-contract/pagination'
import { type ClientSideRules, ClientSideRows } from '@/lib/client/client-side-rows'
import { RowIndex } from '@/lib/client/row-index'
import { derivePagination, type PaginationState } from './pagination'

/** Rows kept loaded below the last visible one. */
const readAhead = 200
/** Pages loaded without progress (a matching row, a scroll) before the user must ask for more. */
const mostPagesUnasked = 10
const mostRepetitions = 3
/** How long an unused list stays cached, for when the reader comes back. */
const keep = 30 * 60_000

export type RowSource<Row> = {
  key: readonly unknown[]
  idOf: (row: Row) => string | null
  /** Reads one page; `after` is null for the first. Throws CallError. */
  read: (after: string | null, signal: AbortSignal) => Promise<Page<Row>>
}

/** A list as the page sees it: rows by index, its pagination state, and operations on it. */
export type RowList<Row> = {
  /** The number of shown rows: all loaded ones, or those that the client-side rules let through. */
  size: number
  loaded: number
  repeated: number
  unreadable: number
  walk: PaginationState
  rowAt: (index: number) => Row | undefined
  keyAt: (index: number) => string
  /** The index of the row with that key; -1 if it is not shown. */
  indexOf: (key: string) => number
  /** A loaded row, shown or not. */
  get: (key: string) => Row | undefined
  /** A loaded row by its position in the API's order, shown or not. */
  loadedAt: (position: number) => Row | undefined
  /** Whether the client-side rules accept a row. */
  accepts: (row: Row) => boolean
  /** The offset of the last loaded page; null if that is the first. */
  lastOffset: string | null
  /** The offset of the page that contains a loaded row; null for the first. */
  offsetOf: (key: string) => string | null
  /** Loads more when fewer than 200 rows lie beyond `end`, the index of the last visible row. */
  demand: (end: number) => void
  /** "Load more" and "Retry". */
  loadMore: () => void
  /** Reads one page without adding it to the list. */
  readPage: (after: string | null, signal: AbortSignal) => Promise<Page<Row>>
  /** Updates the loaded pages (`changePages`). */
  change: (update: (data: ListPages<Row>) => ListPages<Row>) => void
}

const none: readonly never[] = []

function isSlowDown(error: unknown): boolean {
  return error instanceof CallError && error.status === 429
}

/** Milliseconds: the reply's `Retry-After`, at most 60 s; else 1 s, 2 s, 4 s. */
function waitBefore(attempt: number, error: unknown): number {
  const seconds = (error instanceof CallError ? error.retryAfter : null) ?? 2 ** attempt
  return Math.min(60, Math.max(1, seconds)) * 1_000
}

type Progress = { of: object | null; size: number; end: number; pages: number; walked: number }

const noProgress = { size: 0, end: 0, pages: 0, walked: 0 }

export type RowListOptions<Row> = {
  /** Applied to the loaded rows. */
  rules?: ClientSideRules<Row> | null
  /** Why the server could not read the first page; then the browser waits for the user to retry. */
  refusal?: CallError | null
  /** Milliseconds. */
  gcTime?: number
}

/** A list that loads more pages as the reader scrolls. */
export function useListQuery<Row>(
  source: RowSource<Row>,
  { rules = null, refusal = null, gcTime = keep }: RowListOptions<Row> = {},
): RowList<Row> {
  const client = useQueryClient()
  const name = JSON.stringify(source.key)
  const [retried, setRetried] = useState<string | null>(null)
  const isRefused = refusal !== null && retried !== name && client.getQueryData(source.key) === undefined
  const query = useInfiniteQuery({
    queryKey: source.key,
    queryFn: ({ pageParam, signal }) => source.read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ continuation }) => (continuation.kind === 'more' ? continuation.after : undefined),
    enabled: !isRefused,
    // Pages are large and only `change` modifies them: no structural sharing, no refetching.
    structuralSharing: false,
    staleTime: 'static',
    gcTime,
    retry: (count, error) => isSlowDown(error) && count < mostRepetitions,
    retryDelay: waitBefore,
  })
  const pages = query.data?.pages ?? none
  const pageParams = (query.data?.pageParams ?? none) as readonly (string | null)[]

  // oxlint-disable-next-line react/exhaustive-deps -- an index belongs to one reading of a list
  const index = useMemo(() => new RowIndex<Row>(source.idOf), [name])
  // oxlint-disable-next-line react/exhaustive-deps -- rules of the same name are the same
  const local = useMemo(() => rules && new ClientSideRows(index, rules), [index, rules?.name])
  const [slice, takeSlice] = useReducer((count: number) => count + 1, 0)
  const { isWhole, version } = useMemo(() => {
    const replaced = index.take(pages)
    local?.replace(replaced)
    return { isWhole: local?.advance() ?? true, version: {} }
    // oxlint-disable-next-line react/exhaustive-deps -- a further slice
  }, [index, local, pages, slice])
  useEffect(() => {
    if (isWhole) return undefined
    const timer = setTimeout(takeSlice)
    return () => clearTimeout(timer)
  }, [isWhole, version])

  const error = query.failureReason ?? (isRefused ? refusal : null)
  const walk = derivePagination({ pages, pageParams, index, error, isReading: query.isFetching, isRefused })
  const size = local ? local.size : index.size
  // Progress belongs to one view and is reset for the next.
  const view = local ?? index
  const progress = useRef<Progress>({ of: null, ...noProgress })
  useEffect(
    () => () => {
      progress.current = { of: null, ...noProgress }
    },
    [view],
  )

  return useMemo(() => {
    const positionAt = (at: number) => (local ? (local.positionAt(at) ?? -1) : at)
    // Joins a request that is under way.
    const once = { cancelRefetch: false }
    const wantsMore = ({ data, failureReason: error }: Pick<typeof query, 'data' | 'failureReason'>): boolean => {
      if (!data || local || progress.current.of !== view) return false
      index.take(data.pages)
      const read = { pages: data.pages, pageParams: data.pageParams as (string | null)[], index, error }
      const { kind } = derivePagination({ ...read, isReading: false, isRefused: false })
      return kind === 'more' && index.size < progress.current.end + readAhead
    }
    /** Without client-side rules the next page is requested before this one is rendered. */
    const readOn = async () => {
      let read = await (pages.length === 0 ? query.refetch(once) : query.fetchNextPage(once))
      while (wantsMore(read)) read = await query.fetchNextPage(once)
    }
    return {
      size,
      loaded: index.size,
      repeated: index.repeated,
      unreadable: index.unreadable,
      walk,
      rowAt: (at) => index.at(positionAt(at)),
      keyAt: (at) => index.keyAt(positionAt(at)),
      indexOf: (key) => {
        const position = index.positionOf(key)
        return position < 0 || !local ? position : local.indexOf(position)
      },
      get: (key) => index.at(index.positionOf(key)),
      loadedAt: (position) => index.at(position),
      accepts: (row) => rules?.matches?.(row) ?? true,
      lastOffset: pageParams.at(-1) ?? null,
      offsetOf: (key) => {
        const page = pages.findIndex(({ results }) => results.some((row) => source.idOf(row) === key))
        return pageParams[page] ?? null
      },
      demand: (end) => {
        const kept = progress.current
        const before = kept.of === view ? kept : noProgress
        const isProgress = size !== before.size || end > before.end || !local
        const unasked = isProgress ? 0 : before.pages + (pages.length === before.walked ? 0 : 1)
        progress.current = { of: view, size, end: Math.max(end, before.end), pages: unasked, walked: pages.length }
        if (walk.kind === 'more' && isWhole && size < end + readAhead && unasked < mostPagesUnasked) void readOn()
      },
      loadMore: () => {
        progress.current.pages = 0
        if (isRefused) setRetried(name)
        else if (!query.isFetching && (walk.kind === 'more' || walk.kind === 'failed')) void readOn()
      },
      readPage: source.read,
      change: (update) => changePages(client, source.key, update),
    }
    // oxlint-disable-next-line react/exhaustive-deps -- what else it uses changes with these
  }, [version, size, walk.kind, error, query.isFetching, isRefused, name])
}
