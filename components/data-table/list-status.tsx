'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'
import * as words from '@/lib/words/lists'
import { Button } from '../ui/button'
import { useCount } from '../layout/app-config'
import type { RowList } from './use-list-query'
import { describePagination } from './pagination'

/** Counts change with every page; screen readers hear them at most this often. */
const pause = 1_500

/** Throttles `text` for a live region: the first change and urgent ones pass at once. */
function useCalmText(text: string, isUrgent: boolean): string {
  const [first] = useState(text)
  const [calm, setCalm] = useState(text)
  if ((isUrgent || calm === first) && calm !== text) setCalm(text)

  const isBehind = calm !== text
  const catchUp = useEffectEvent(() => setCalm(text))

  useEffect(() => {
    if (!isBehind) return undefined
    const timer = setTimeout(() => catchUp(), pause)
    return () => clearTimeout(timer)
  }, [isBehind])

  return calm
}

type WalkStatusProps<Row> = { list: RowList<Row>; isNarrowed: boolean }

/** The footer of a list: how much is loaded, and the button that loads more. */
export function ListStatus<Row>({ list, isNarrowed }: WalkStatusProps<Row>) {
  const { walk, repeated, unreadable } = list
  const formatCount = useCount()
  // In the server's HTML nothing loads yet: the state is only known in the browser.
  const isInBrowser = useHydrated()
  const told = describePagination(walk, { loaded: list.loaded, shown: list.size, isNarrowed }, formatCount)
  const isEnd = walk.kind === 'complete' || walk.kind === 'incomplete' || walk.kind === 'failed'
  const shown = useCalmText(told, isEnd)
  // ListState already says that a complete list is empty; here only screen readers need it.
  const isBare = walk.kind === 'complete' && list.loaded === 0 && repeated === 0 && unreadable === 0
  return (
    <div className={isBare ? 'sr-only' : 'dt-walk'}>
      <p
        role="status"
        data-walk={isInBrowser ? walk.kind : 'loading'}
        data-slow={list.size > 0 ? words.loadingMore : undefined}
      >
        {shown}
      </p>
      {repeated > 0 ? <p>{words.sentMoreThanOnceShown(formatCount(repeated))}</p> : null}
      {unreadable > 0 ? <p>{words.couldNotBeRead(formatCount(unreadable))}</p> : null}
      {walk.kind === 'more' || (walk.kind === 'loading' && list.loaded > 0) ? (
        <Button size="small" className="ml-auto" onClick={() => list.loadMore()}>
          {words.loadMore}
        </Button>
      ) : null}
    </div>
  )
}
