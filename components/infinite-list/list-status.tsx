'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { useFormatCount } from '../layout/app-config'
import { LoadMore } from './load-more'
import type { RowList } from './use-list-query'
import { describePagination } from './pagination'
import * as m from '@/lib/messages/m'

/** Counts change with every page; screen readers hear them at most this often. */
const MIN_ANNOUNCEMENT_INTERVAL_MS = 1_500

/**
 * Throttles `text` for a live region: urgent ones pass at once, and the first change of the page or after `restart`. Of another
 * view only `text` as it is now and what lasts: the pages that it reads in passing would be spoken one after the other.
 */
function useThrottledText(text: string, isUrgent: boolean, view: string | undefined) {
  const [shown, setShown] = useState<{ view: string | undefined; first: string | null; text: string }>({
    view,
    first: text,
    text,
  })
  if (shown.view !== view) setShown({ view, first: null, text })
  else if ((isUrgent || shown.text === shown.first) && shown.text !== text) setShown({ ...shown, text })

  // A new object after each catching up, which may be behind again at once.
  const behind = shown.text === text ? null : shown
  const catchUp = useEffectEvent(() => setShown({ ...shown, text }))

  useEffect(() => {
    if (!behind) return undefined
    const timer = setTimeout(() => catchUp(), MIN_ANNOUNCEMENT_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [behind])

  return { shown: shown.text, restart: () => setShown({ view, first: text, text }) }
}

type ListStatusProps<Row> = {
  list: RowList<Row>
  /** Identifies what is listed: of another one its first state is announced, then what lasts, or is the end. */
  view?: string
  isFilteredClientSide: boolean
  /** What the rows are ordered by, where no column's heading shows it. */
  order?: string | undefined
}

/** The footer of a list: how much is loaded, and the button that loads more. */
export function ListStatus<Row>({ list, view, isFilteredClientSide, order }: ListStatusProps<Row>) {
  const { pagination, isProcessed, repeated, unreadable } = list
  const formatCount = useFormatCount()
  // In the server's HTML nothing loads yet: the state is only known in the browser.
  const isInBrowser = useHydrated()
  // ListState already says that a complete list is empty; here only screen readers need it.
  const isEmpty = pagination.kind === 'complete' && list.loaded === 0 && repeated === 0 && unreadable === 0
  const text = isProcessed ? describePagination(list, isFilteredClientSide, formatCount) : m.lists_loading()
  const isEnd =
    isProcessed && (pagination.kind === 'complete' || pagination.kind === 'incomplete' || pagination.kind === 'failed')
  const walk = isInBrowser && isProcessed ? pagination.kind : 'loading'
  const { shown, restart } = useThrottledText(text, isEnd, view)
  const foot = useRef<HTMLDivElement>(null)
  return (
    <div ref={foot} tabIndex={-1} className={isEmpty ? 'sr-only' : 'list-status'}>
      {/* First, where nothing that changes moves it. */}
      {order ? <p className="max-md:hidden">{order}</p> : null}
      <output data-walk={walk} data-slow={list.size > 0 ? m.lists_loadingMore() : undefined}>
        {shown}
      </output>
      {repeated > 0 ? <p>{m.lists_sentMoreThanOnceShown({ repeated: formatCount(repeated) })}</p> : null}
      {unreadable > 0 ? <p>{m.lists_couldNotBeRead({ unreadable: formatCount(unreadable) })}</p> : null}
      <LoadMore list={list} className="ml-auto" heir={foot} onPress={restart} />
    </div>
  )
}
