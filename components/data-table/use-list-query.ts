'use client'

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { CallError } from '@/lib/client/api-client'
import { changePages, type ListPages } from '@/lib/client/list-queries'
import type { Page } from '@/lib/api-contract/pagination'
import { type ClientSideRules, ClientSideRows } from '@/lib/client/client-side-rows'
import { RowIndex } from '@/lib/client/row-index'
import { derivePagination, type PaginationState } from './pagination'

/** So many rows are kept ready below the last one on the screen. */
const readAhead = 200
/** So many pages are read without a sign of progress (a matching row, a scroll) before a person must ask for more. */
const mostPagesUnasked = 10
const mostRepetitions = 3
/** Milliseconds that a list is kept for who comes back to it. */
const keep = 30 * 60_000

export type RowSource<Row> = {
  /** The key of the list's query. */
  key: readonly unknown[]
  idOf: (row: Row) => string | null
  /** Reads one page; `after` is null for the first. Throws CallError. */
  read: (after: string | null, signal: AbortSignal) => Promise<Page<Row>>
}

/** One list as the page sees it: rows by index, the walk that loads more of them, and how rows come anew. */
export type RowList<Row> = {
  /** How many rows there are to show: all that are loaded, or those that the rules let through. */
  size: number
  loaded: number
  repeated: number
  unreadable: number
  walk: PaginationState
  rowAt: (index: number) => Row | undefined
  keyAt: (index: number) => string
  /** Where the row of that key stands now; -1 when it is not shown. */
  indexOf: (key: string) => number
  /** A loaded row, shown or not. */
  get: (key: string) => Row | undefined
  /** A loaded row by its place in the service's order, shown or not. */
  loadedAt: (position: number) => Row | undefined
  /** Whether the rules let a row through. */
  accepts: (row: Row) => boolean
  /** The offset of the last page that is loaded, where that is not the first. */
  lastOffset: string | null
  /** The offset of the page on which a loaded row came; null is the first page. */
  offsetOf: (key: string) => string | null
  /** Says that rows up to `end` (an index) can be seen; reads on where fewer than 200 lie beyond. */
  demand: (end: number) => void
  /** "Load more" and "Retry". */
  loadMore: () => void
  /** Reads one page, without taking it in. */
  readPage: (after: string | null, signal: AbortSignal) => Promise<Page<Row>>
  /** Changes the pages that are loaded (`changePages`). */
  change: (update: (data: ListPages<Row>) => ListPages<Row>) => void
}

const none: readonly never[] = []

function isSlowDown(error: unknown): boolean {
  return error instanceof CallError && error.status === 429
}

/** As long as the answer asks, at most 60 s; else 1 s, 2 s, 4 s. */
function waitBefore(attempt: number, error: unknown): number {
  const seconds = (error instanceof CallError ? error.retryAfter : null) ?? 2 ** attempt
  return Math.min(60, Math.max(1, seconds)) * 1_000
}

type Progress = { of: object | null; size: number; end: number; pages: number; walked: number }

const noProgress = { size: 0, end: 0, pages: 0, walked: 0 }

export type RowListOptions<Row> = {
  /** Work on the loaded rows. */
  rules?: ClientSideRules<Row> | null
  /** Why the server could not read the first page, which is then asked for only when a person says so. */
  refusal?: CallError | null
  /** Milliseconds that the rows are kept once nothing shows them. */
  gcTime?: number
}

/** A list that loads itself as far as it is seen. */
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
    // Pages are large and change by `change` alone: they are neither compared nor read again by themselves.
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
  // How far one view was read: nothing of it holds for the next.
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
    // What is under way is not asked for again.
    const once = { cancelRefetch: false }
    const wantsMore = ({ data, failureReason: error }: Pick<typeof query, 'data' | 'failureReason'>): boolean => {
      if (!data || local || progress.current.of !== view) return false
      index.take(data.pages)
      const read = { pages: data.pages, pageParams: data.pageParams as (string | null)[], index, error }
      const { kind } = derivePagination({ ...read, isReading: false, isRefused: false })
      return kind === 'more' && index.size < progress.current.end + readAhead
    }
    /** Where no row is left out, the next page is on its way before the browser draws this one. */
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
