'use client'

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { RowList } from '@/lib/browser/row-list'
import * as words from '@/lib/words/lists'
import { Button } from '../ui/button'
import { useCount } from '../use-count'
import { describeWalk, nameWalk } from './walk-words'

/** Counts change with every page; they are said aloud this often at most (milliseconds). */
const pause = 1_500

/** Text that follows `text` at a bearable rate: the first change and urgent ones at once, others every now and then. */
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

/** The foot of a list: how much of it is loaded, and the button that loads more. */
export function WalkStatus<Row>({ list, isNarrowed }: WalkStatusProps<Row>) {
  useSyncExternalStore(list.changes.subscribe, list.changes.getVersion, list.changes.getVersion)
  // In the server's HTML nothing walks yet: only this script knows how it goes on.
  const name = useSyncExternalStore(
    list.changes.subscribe,
    () => nameWalk(list.walk),
    () => 'loading' as const,
  )
  const { walk, repeated, unreadable } = list
  const formatCount = useCount()
  const told = describeWalk(walk, { loaded: list.rows.size, shown: list.size, isNarrowed }, formatCount)
  const isEnd = walk.kind === 'complete' || walk.kind === 'incomplete' || walk.kind === 'failed'
  const shown = useCalmText(told, isEnd)
  // That an empty list is whole is said in the rows' place already; a reader of the page alone hears it here.
  const isBare = walk.kind === 'complete' && list.rows.size === 0 && repeated === 0 && unreadable === 0
  return (
    <div className={isBare ? 'sr-only' : 'dt-walk'}>
      <p role="status" data-walk={name} data-slow={list.size > 0 ? words.loadingMore : undefined}>
        {shown}
      </p>
      {repeated > 0 ? <p>{words.sentMoreThanOnceShown(formatCount(repeated))}</p> : null}
      {unreadable > 0 ? <p>{words.couldNotBeRead(formatCount(unreadable))}</p> : null}
      {walk.kind === 'more' || (walk.kind === 'loading' && list.rows.size > 0) ? (
        <Button size="small" className="ml-auto" onClick={() => list.loadMore()}>
          {words.loadMore}
        </Button>
      ) : null}
    </div>
  )
}
