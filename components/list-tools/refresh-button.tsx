'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useTransition } from 'react'
import { chooseProblemDisplay, toProblemInfo } from '@/components/feedback/problem-display'
import { patchRows } from '@/lib/client/list-queries'
import { useReadAgain } from '@/lib/client/use-live-changes'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import type { RowList } from '../data-table/use-list-query'
import { PageForm } from '../forms/before-hydration'
import { useFormatCount } from '../layout/app-config'
import { Button } from '../ui/button'

import * as m from '@/lib/messages/m'
/** Changes of a list since it was loaded. */
export type NewRows<Row> = {
  /** Current versions of loaded rows. */
  known: Row[]
  /** New rows that the client-side rules accept. */
  accepted: Row[]
  /** All new rows before the first loaded one. */
  top: Row[]
  /** Whether all new rows are in `top` and can be inserted there; else the list is reloaded. */
  isOnTop: boolean
}

/**
 * Re-reads the first page and, if the list is complete, the last one, where new rows may appear too. Throws
 * CallError.
 */
export async function readNewRows<Row extends { id: string | null }>(list: RowList<Row>): Promise<NewRows<Row>> {
  const { signal } = new AbortController()
  const head = await list.fetchPage(null, signal)
  const isLoaded = ({ id }: Row) => id !== null && list.get(id) !== undefined
  const { kind } = list.pagination
  const last = kind === 'complete' ? list.lastOffset : null
  const tail = last === null ? [] : (await list.fetchPage(last, signal)).results
  // In a partially loaded list, what follows its last loaded row isn't new, only not loaded yet.
  const end = kind === 'complete' || kind === 'incomplete' ? -1 : head.results.findLastIndex(isLoaded)
  const read = end < 0 ? [...head.results, ...tail] : head.results.slice(0, end + 1)
  const rows = [...new Map(read.map((row) => [row.id, row])).values()]
  const isNew = (row: Row) => row.id !== null && !isLoaded(row)
  const accepted = rows.filter((row) => isNew(row) && list.matchesRules(row))
  const top = rows.slice(0, Math.max(0, rows.findIndex(isLoaded))).filter(isNew)
  return {
    known: rows.filter(isLoaded),
    accepted,
    top,
    isOnTop: top.length > 0 && accepted.every((row) => top.includes(row)),
  }
}

/** After being hidden this long (milliseconds), the list refreshes when the tab is shown again. */
const STALE_AFTER_MS = 60_000

/** Others may wait behind the same service: new rows are looked for at once, and then at most this often (milliseconds). */
const NEW_ROWS_INTERVAL_MS = 15_000

const listedKinds = { listPayments: 'payment', listCustomers: 'customer', listMandates: 'mandate' } as const

type RefreshButtonProps<List extends ListId> = {
  listId: List
  list: RowList<ListRow<List>>
  /** Called after new rows were inserted at the top. */
  onTop: () => void
}

/**
 * Refreshes the list: loaded rows are updated in place; new rows are offered for insertion at the top, or by
 * reloading the list if they belong elsewhere.
 */
export function RefreshButton<List extends ListId>({ listId, list, onTop }: RefreshButtonProps<List>) {
  const client = useQueryClient()
  const router = useRouter()
  const formatCount = useFormatCount()
  const [isReloading, startReload] = useTransition()
  const {
    mutate,
    data: newRows,
    error,
    isPending,
  } = useMutation({
    mutationFn: () => readNewRows(list),
    onSuccess: ({ known }) => patchRows(client, listId, known),
  })

  const refreshQuietly = useEffectEvent(() => isPending || mutate())
  useEffect(() => {
    let hiddenAt = Number.POSITIVE_INFINITY
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > STALE_AFTER_MS) refreshQuietly()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])

  // What the service's webhooks tell of; what this desk's people create is told too.
  useReadAgain([listedKinds[listId]], async () => isPending || mutate(), {
    countsLoad: false,
    intervalMs: NEW_ROWS_INTERVAL_MS,
  })

  function showNewRows(): void {
    if (!newRows) return
    if (!newRows.isOnTop) return startReload(() => router.refresh())
    list.updatePages((pages) => {
      const [first, ...others] = pages.pages
      const here = new Set(pages.pages.flatMap(({ results }) => results.map(({ id }) => id)))
      const top = newRows.top.filter(({ id }) => !here.has(id))
      if (!first || top.length === 0) return pages
      return { ...pages, pages: [{ ...first, results: [...top, ...first.results] }, ...others] }
    })
    onTop()
  }

  const count = newRows?.accepted.filter(({ id }) => id === null || list.get(id) === undefined).length ?? 0
  const failure = error ? toProblemInfo(error) : null
  const title = failure && chooseProblemDisplay(failure).title
  return (
    <>
      {title ? (
        <p role="alert" className="max-w-md truncate text-[0.8125rem] text-negative" title={failure?.detail ?? title}>
          {m.lists_notRefreshedWhy({ failure: title })}
        </p>
      ) : null}
      {count > 0 ? (
        <Button tone="primary" onClick={showNewRows} aria-busy={isReloading}>
          <ArrowUp aria-hidden className="size-4" />
          {newRows?.isOnTop
            ? m.lists_fresh({ count: formatCount(count) })
            : m.lists_freshByLoadingAnew({ count: formatCount(count) })}
        </Button>
      ) : null}
      <PageForm onSubmit={() => isPending || mutate()}>
        <Button
          type="submit"
          aria-busy={isPending}
          title={m.lists_readTheFirstPageAgain()}
          className="max-md:w-11 max-md:px-0"
        >
          <RefreshCw aria-hidden className="size-4" />
          <span className="max-md:sr-only">{m.lists_refresh()}</span>
        </Button>
      </PageForm>
    </>
  )
}
