'use client'

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { RowList } from '@/lib/browser/row-list'
import type { ActivityView } from '@/lib/contract/activity'
import { ActivityEntry } from './activity-entry'
import './activity.css'

/** The rows of the log that are loaded; as its end comes near, more are. */
export function ActivityRows({
  list,
  name,
  isSlice,
}: {
  list: RowList<ActivityView>
  name: string
  isSlice?: boolean
}) {
  useSyncExternalStore(list.changes.subscribe, list.changes.getVersion, list.changes.getVersion)
  const end = useRef<HTMLDivElement>(null)
  const isBare = list.size === 0

  useEffect(() => list.open(), [list])
  useEffect(() => {
    if (isBare || !end.current) return undefined
    const watcher = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting) list.demand(list.size)
    })
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [list, isBare])

  const entries = Array.from({ length: list.size }, (_, index) => list.rowAt(index)).filter((row) => row !== undefined)
  if (isBare) return null
  const rows = (
    <ol aria-label={name}>
      {entries.map((entry) => (
        <ActivityEntry key={entry.id} entry={entry} isSlice={isSlice} />
      ))}
    </ol>
  )
  if (isSlice) return rows
  return (
    <div data-scroller="" className="min-h-0 flex-1 overflow-y-auto border-t border-line bg-surface">
      {rows}
      <div ref={end} aria-hidden="true" className="h-px" />
    </div>
  )
}
