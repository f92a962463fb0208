'use client'

import { useState } from 'react'
import { createUuid } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import * as words from '@/lib/words/activity'
import { ProblemNotice } from '../feedback/problem-notice'
import { Button } from '../ui/button'
import { ActivityEntry, useActivity } from './activity-log'
import './activity.css'

/** A handle longer than this cannot be asked for, and names no row: the record is found by its id. */
const longestObject = 200

/** What was done here about one record, newest first: its slice of the activity log. `objects` are its id and its handle. */
export function Timeline({ kind, objects }: { kind: string; objects: readonly string[] }) {
  const askable = objects.filter((object) => object.length <= longestObject)
  const query = new URLSearchParams([['kind', kind], ...askable.map((object) => ['object', object])]).toString()
  // It is read anew whenever it is opened: nobody comes back to this reading.
  const [visit] = useState(createUuid)
  const list = useActivity(query, visit, { gcTime: 1_000 })
  const { walk, size } = list
  const entries = Array.from({ length: size }, (_, index) => list.rowAt(index)).filter((entry) => entry !== undefined)
  return (
    <>
      {size === 0 ? null : (
        <ol aria-label={words.activity}>
          {entries.map((entry) => (
            <ActivityEntry key={entry.id} entry={entry} isSlice />
          ))}
        </ol>
      )}
      {walk.kind === 'failed' ? (
        <ProblemNotice facts={toProblemInfo(walk.error)} onRetry={() => list.loadMore()} />
      ) : null}
      {size === 0 && walk.kind === 'complete' ? <p className="text-ink-soft">{words.nothingWasDone}</p> : null}
      {size === 0 && walk.kind === 'loading' ? <p className="text-ink-soft">{words.loading}</p> : null}
      {walk.kind === 'more' ? (
        <Button size="small" className="mt-3" onClick={() => list.loadMore()}>
          {words.loadMore}
        </Button>
      ) : null}
    </>
  )
}
