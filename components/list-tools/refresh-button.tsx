'use client'

import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { chooseProblemDisplay, toProblemInfo } from '@/components/feedback/problem-display'
import { useCountdown } from '@/components/feedback/problem-notice'
import { listRefreshes, patchRows } from '@/lib/client/list-queries'
import { formatClock } from '@/lib/domain/dates/date'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import type { RowList } from '../infinite-list/use-list-query'
import { PageForm } from '../forms/before-hydration'
import { useAppConfig, useViewerZone } from '../layout/app-config'
import { Button } from '../ui/button'
import { NewRowsButton, useNewRows } from './new-rows'
import * as m from '@/lib/messages/m'

/** After being hidden this long (milliseconds), the list refreshes when the tab is shown again. */
const STALE_AFTER_MS = 60_000

/** Others may wait behind the same service: new rows are looked for at once, and then at most this often (milliseconds). */
const NEW_ROWS_INTERVAL_MS = 15_000

const listedKinds = { listPayments: 'payment', listCustomers: 'customer', listMandates: 'mandate' } as const

type RefreshButtonProps<List extends ListId> = {
  listId: List
  list: RowList<ListRow<List>>
  /** Called with how many of the new rows are shown, after they were inserted at the top. */
  onTop: (count: number) => void
  /** Called with whether there are rows that only a reload shows. */
  onRead: (needsReload: boolean) => void
}

/**
 * Refreshes the list: loaded rows are updated in place; new rows are offered for insertion at the top, or by
 * reloading the list if they belong elsewhere.
 */
export function RefreshButton<List extends ListId>({ listId, list, onTop, onRead }: RefreshButtonProps<List>) {
  const client = useQueryClient()
  // What the service's webhooks tell of; what this desk's people create is told too.
  const newRows = useNewRows(list, {
    kinds: [listedKinds[listId]],
    countsLoad: false,
    intervalMs: NEW_ROWS_INTERVAL_MS,
    onRead: ({ known, fresh, top, isPart }) => {
      patchRows(client, listId, known)
      onRead(isPart || fresh.some((row) => !top.includes(row)))
    },
  })
  const { error, noneSince, isReading, read } = newRows
  const { locale } = useAppConfig()
  const zone = useViewerZone()
  const failure = error ? toProblemInfo(error) : null
  const left = useCountdown(failure?.retryAfter ?? null, error)

  const refreshQuietly = useEffectEvent(() => {
    if (left === 0) read()
  })
  useEffect(() => {
    let hiddenAt = Number.POSITIVE_INFINITY
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > STALE_AFTER_MS) refreshQuietly()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])

  const title = failure && chooseProblemDisplay(failure).title
  return (
    <>
      {title ? (
        <p role="alert" className="max-w-md truncate text-[0.8125rem] text-negative" title={failure?.detail ?? title}>
          {m.lists_notRefreshedWhy({ failure: title })}
        </p>
      ) : null}
      <output className="text-[0.8125rem] text-ink-soft max-md:sr-only">
        {noneSince === null ? null : m.lists_nothingNew({ time: formatClock(noneSince, zone, locale) })}
      </output>
      <NewRowsButton newRows={newRows} onTop={onTop} />
      <PageForm
        onSubmit={() => {
          read()
          listRefreshes.tell()
        }}
      >
        <Button
          type="submit"
          aria-busy={isReading}
          reason={left > 0 ? m.problems_waitS({ left }) : null}
          title={left > 0 ? undefined : m.lists_readTheFirstPageAgain()}
          className="max-md:w-11 max-md:px-0"
        >
          <RefreshCw aria-hidden className="size-4" />
          <span className="max-md:sr-only">{m.lists_refresh()}</span>
          {left > 0 ? (
            <span aria-hidden="true" className="max-md:hidden">
              {m.problems_inS({ left })}
            </span>
          ) : null}
        </Button>
      </PageForm>
    </>
  )
}
