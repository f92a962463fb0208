'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { ActivityView } from '@/lib/domain/activity'
import { saveScrollPosition, getScrollPosition } from '../data-table/scroll-position'
import type { RowList } from '../infinite-list/use-list-query'
import { ActivityEntry } from './activity-log'
import './activity.css'

type ActivityRowsProps = {
  list: RowList<ActivityView>
  name: string
  /** Identifies this page load. */
  loadId: string
}

/** In pixels. */
const ESTIMATED_ROW_HEIGHT = 57
const INITIAL_RECT = { width: 1280, height: 1200 }

/** The virtualized log. Expanded entries have variable height. */
export function ActivityRows({ list, name, loadId }: ActivityRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing that is memoised is given it
  const virtualizer = useVirtualizer({
    count: list.size,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ROW_HEIGHT,
    getItemKey: list.keyAt,
    overscan: 10,
    initialRect: INITIAL_RECT,
    initialOffset: () => getScrollPosition(loadId).top,
  })
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => list.loadUntil(last), [list, last])
  if (list.size === 0) return null
  const items = virtualizer.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div
      ref={scroller}
      data-scroller=""
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-y-auto border-t border-line bg-surface"
      onScroll={({ currentTarget }) => saveScrollPosition(loadId, { top: currentTarget.scrollTop })}
    >
      <ol aria-label={name} style={{ paddingTop: above, paddingBottom: below }}>
        {items.map(({ key, index }) => {
          const entry = list.rowAt(index)
          return entry ? (
            <ActivityEntry key={key} entry={entry} ref={virtualizer.measureElement} index={index} count={list.size} />
          ) : null
        })}
      </ol>
    </div>
  )
}
