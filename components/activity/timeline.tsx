'use client'

import { useState, useSyncExternalStore } from 'react'
import { openActivityList } from '@/lib/browser/activity-list'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import * as words from '@/lib/words/activity'
import { ProblemNotice } from '../problem-notice'
import { Button } from '../ui/button'
import { ActivityRows } from './activity-rows'

/** A handle longer than this cannot be asked for, and names no row: the record is found by its id. */
const longestObject = 200

/** What was done here about one record, newest first: its slice of the activity log. `objects` are its id and its handle. */
export function Timeline({ kind, objects }: { kind: string; objects: readonly string[] }) {
  const askable = objects.filter((object) => object.length <= longestObject)
  const [list] = useState(() =>
    openActivityList(new URLSearchParams([['kind', kind], ...askable.map((object) => ['object', object])])),
  )
  useSyncExternalStore(list.changes.subscribe, list.changes.getVersion, list.changes.getVersion)
  const { walk } = list
  return (
    <>
      <ActivityRows list={list} name="Activity" isSlice />
      {walk.kind === 'failed' ? (
        <ProblemNotice facts={readProblemFacts(walk.error)} onRetry={() => list.loadMore()} />
      ) : null}
      {list.size === 0 && walk.kind === 'complete' ? <p className="text-ink-soft">{words.nothingWasDone}</p> : null}
      {list.size === 0 && walk.kind === 'loading' ? <p className="text-ink-soft">{words.loading}</p> : null}
      {walk.kind === 'more' ? (
        <Button size="small" className="mt-3" onClick={() => list.loadMore()}>
          {words.loadMore}
        </Button>
      ) : null}
    </>
  )
}
