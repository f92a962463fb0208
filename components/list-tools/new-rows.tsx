'use client'

import { useMutation } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { useReadAgain } from '@/lib/client/use-live-changes'
import type { ChangeKind } from '@/lib/domain/changes'
import * as m from '@/lib/messages/m'
import type { RowList } from '../infinite-list/use-list-query'
import { useFormatCount } from '../layout/app-config'
import { Button } from '../ui/button'

/** Changes of a list since it was loaded. */
export type NewRows<Row> = {
  /** Current versions of loaded rows that nothing has replaced meanwhile. */
  known: Row[]
  fresh: Row[]
  /** The new rows before the first loaded one. */
  top: Row[]
}

/**
 * Re-reads the first page and, if the list is complete, the last one, where new rows may appear too. `quiet` as in
 * ListSource. Throws CallError.
 */
export async function readNewRows<Row extends { id: string | null }>(
  list: RowList<Row>,
  quiet: boolean,
): Promise<NewRows<Row>> {
  const { signal } = new AbortController()
  const head = await list.fetchPage(null, signal, quiet)
  const isLoaded = ({ id }: Row) => id !== null && list.get(id) !== undefined
  const { kind } = list.pagination
  const last = kind === 'complete' ? list.lastOffset : null
  const tail = last === null ? [] : (await list.fetchPage(last, signal, quiet)).results
  // In a partially loaded list, what follows its last loaded row isn't new, only not loaded yet.
  const end = kind === 'complete' || kind === 'incomplete' ? -1 : head.results.findLastIndex(isLoaded)
  const read = end < 0 ? [...head.results, ...tail] : head.results.slice(0, end + 1)
  const rows = [...new Map(read.map((row) => [row.id, row])).values()]
  const isNew = (row: Row) => row.id !== null && !isLoaded(row)
  const top = rows.slice(0, Math.max(0, rows.findIndex(isLoaded))).filter(isNew)
  // A row that was replaced while this read, and is not in the list's pages of before, is newer than what was read.
  const ids = new Set(rows.map(({ id }) => id))
  const before = new Set(list.pages.flatMap(({ results }) => results.filter(({ id }) => ids.has(id))))
  const known = rows.filter(({ id }) => {
    const row = id === null ? undefined : list.get(id)
    return row !== undefined && before.has(row)
  })
  return { known, fresh: rows.filter(isNew), top }
}

/**
 * The new rows that the client-side rules accept and that have not come meanwhile. `isOnTop`: they can all be inserted
 * before the first loaded one; else the list is loaded anew.
 */
export function chooseNewRows<Row extends { id: string | null }>(
  list: Pick<RowList<Row>, 'matchesRules' | 'get'>,
  { fresh, top }: NewRows<Row>,
): { offered: Row[]; isOnTop: boolean } {
  const offered = fresh.filter((row) => list.matchesRules(row) && list.get(row.id ?? '') === undefined)
  return { offered, isOnTop: top.length > 0 && offered.every((row) => top.includes(row)) }
}

/** Inserts new rows before the first loaded one, without those that came meanwhile. */
export function insertOnTop<Row extends { id: string | null }>(list: RowList<Row>, rows: readonly Row[]): void {
  list.updatePages((pages) => {
    const [first, ...others] = pages.pages
    const here = new Set(pages.pages.flatMap(({ results }) => results.map(({ id }) => id)))
    const top = rows.filter(({ id }) => !here.has(id))
    if (!first || top.length === 0) return pages
    return { ...pages, pages: [{ ...first, results: [...top, ...first.results] }, ...others] }
  })
}

type NewRowsOptions<Row> = {
  /** What the list is read again for. */
  kinds: readonly ChangeKind[]
  countsLoad?: boolean
  /** Milliseconds between two reads. */
  intervalMs: number
  onRead?: (newRows: NewRows<Row>) => void
}

/** Looks for new rows of a list when there may be some, and when `read` is called. They wait until they are shown. */
export function useNewRows<Row extends { id: string | null }>(
  list: RowList<Row>,
  { kinds, countsLoad = true, intervalMs, onRead }: NewRowsOptions<Row>,
) {
  const router = useRouter()
  const [isReloading, startReload] = useTransition()
  const [data, setData] = useState<NewRows<Row> | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const take = (newRows: NewRows<Row>) => {
    setData(newRows)
    setError(null)
    onRead?.(newRows)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => readNewRows(list, false),
    onMutate: () => setError(null),
    onSuccess: take,
    onError: setError,
  })
  const read = () => {
    if (!isPending) mutate()
  }
  // Where it fails, what was found before stays, and nothing is said: nobody asked for it.
  useReadAgain(kinds, async () => take(await readNewRows(list, true)), { countsLoad, intervalMs })
  const { offered, isOnTop } = data ? chooseNewRows(list, data) : { offered: [], isOnTop: false }
  return {
    count: offered.length,
    isOnTop,
    isReading: isPending,
    isReloading,
    error,
    read,
    /** Inserts them, or reloads the list. Returns whether they are at its top now. */
    show: (): boolean => {
      if (!isOnTop) {
        startReload(() => router.refresh())
        return false
      }
      insertOnTop(list, data?.top ?? [])
      return true
    },
  }
}

type NewRowsButtonProps = {
  newRows: Pick<ReturnType<typeof useNewRows>, 'count' | 'isOnTop' | 'isReloading' | 'show'>
  /** Called after they were inserted at the top. */
  onTop: () => void
}

/** How many rows are new; shows them. Nothing while there are none. */
export function NewRowsButton({ newRows: { count, isOnTop, isReloading, show }, onTop }: NewRowsButtonProps) {
  const formatCount = useFormatCount()
  if (count === 0) return null
  return (
    <Button
      tone="primary"
      aria-busy={isReloading}
      onClick={() => {
        if (show()) onTop()
      }}
    >
      <ArrowUp aria-hidden className="size-4" />
      {isOnTop
        ? m.lists_fresh({ count: formatCount(count) })
        : m.lists_freshByLoadingAnew({ count: formatCount(count) })}
    </Button>
  )
}
