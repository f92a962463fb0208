'use client'

import { useRef, useState } from 'react'
import { createUuid } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { ActivityEntry, useActivity, useNewEntries } from './activity-log'
import { LoadMore } from '../infinite-list/load-more'
import './activity.css'
import * as m from '@/lib/messages/m'

/** The route rejects longer handles; the log records such objects by id only. */
const MAX_OBJECT_LENGTH = 200

/** The activity of one record, newest first. `objects`: its id and handle. */
export function Timeline({ kind, objects }: { kind: string; objects: readonly string[] }) {
  const searchable = objects.filter((object) => object.length <= MAX_OBJECT_LENGTH)
  const query = new URLSearchParams([['kind', kind], ...searchable.map((object) => ['object', object])]).toString()
  // Read again whenever it is opened, so the cache key is never reused.
  const [loadId] = useState(createUuid)
  const list = useActivity(query, loadId, { gcTime: 1_000 })
  useNewEntries(list, searchable)
  const timeline = useRef<HTMLOListElement>(null)
  const { pagination, size } = list
  const entries = Array.from({ length: size }, (_, index) => list.rowAt(index)).filter((entry) => entry !== undefined)
  return (
    <>
      {size === 0 ? null : (
        <ol ref={timeline} tabIndex={-1} aria-label={m.activity_activity()}>
          {entries.map((entry) => (
            <ActivityEntry key={entry.id} entry={entry} isEmbedded />
          ))}
        </ol>
      )}
      {pagination.kind === 'failed' ? (
        <ProblemNotice problem={toProblemInfo(pagination.error)} onRetry={() => list.loadMore()} />
      ) : null}
      {size === 0 && pagination.kind === 'complete' ? (
        <p className="text-ink-soft">{m.activity_nothingWasDone()}</p>
      ) : null}
      {size === 0 && pagination.kind === 'loading' ? <p className="text-ink-soft">{m.activity_loading()}</p> : null}
      <LoadMore list={list} className="mt-3" heir={timeline} />
    </>
  )
}
