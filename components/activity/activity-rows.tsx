'use client'

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ActivityView } from '@/lib/domain/activity/activity'
import { saveListPlace, getListPlace } from '../data-table/list-place'
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

/** The index of the row around an element; -1 outside of the rows. */
function readRowIndex(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row-id]') : null
  return Number(row?.dataset.index ?? -1)
}

/**
 * The virtualized log. Expanded entries have variable height. J, K and the arrows move the focus over the rows, Home and
 * End to the first and last one, as in a grid.
 */
export function ActivityRows({ list, name, loadId }: ActivityRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [focusKey, setFocusKey] = useState(() => getListPlace(loadId).focusKey)
  const focused = focusKey === null ? -1 : list.indexOf(focusKey)
  /** Whether the row gets the focus once it is rendered: also when the reader comes back to the log. */
  const isFocusWanted = useRef(focused >= 0)
  // oxlint-disable-next-line react/incompatible-library -- nothing that is memoised is given it
  const virtualizer = useVirtualizer({
    count: list.size,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ROW_HEIGHT,
    getItemKey: list.keyAt,
    overscan: 10,
    initialRect: INITIAL_RECT,
    initialOffset: () => getListPlace(loadId).top,
    // The focused row stays mounted wherever it is: the browser drops the focus with a row that unmounts.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
      return [...indexes, focused].toSorted((left, right) => left - right)
    },
  })
  useLayoutEffect(() => {
    if (!isFocusWanted.current) return
    isFocusWanted.current = false
    // On the way back to the log nothing has it, or the page's content.
    const isFree = document.activeElement?.matches('body, #content') === true
    if (!isFree && !scroller.current?.contains(document.activeElement)) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focused}"] summary`)
    row?.focus({ preventScroll: true })
    // By keys: on a short screen the page scrolls too.
    if (!isFree) row?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [focused])
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => list.loadUntil(last), [list, last])
  if (list.size === 0) return null
  const items = virtualizer.getVirtualItems()

  function takeFocus(index: number): void {
    const key = list.keyAt(index)
    saveListPlace(loadId, { focusKey: key })
    setFocusKey(key)
  }

  function keepFocus({ target }: FocusEvent): void {
    const index = readRowIndex(target)
    if (index >= 0) takeFocus(index)
  }

  function moveFocus(event: KeyboardEvent): void {
    const index = readRowIndex(event.target)
    // The contents of an opened entry keep their keys.
    const isRow = event.target instanceof Element && event.target.matches('.activity-row')
    if (!isRow || index < 0 || event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return
    const [next, previous] = [index + 1, index - 1]
    const last = list.size - 1
    const moves: Record<string, number> = {
      j: next,
      ArrowDown: next,
      k: previous,
      ArrowUp: previous,
      Home: 0,
      End: last,
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (to < 0 || to > last || to === index) return
    isFocusWanted.current = true
    takeFocus(to)
    virtualizer.scrollToIndex(to)
  }

  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys and the focus of the rows in it
    <div
      ref={scroller}
      data-scroller=""
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-y-auto border-t border-line bg-surface"
      onFocus={keepFocus}
      onKeyDown={moveFocus}
      onScroll={({ currentTarget }) => saveListPlace(loadId, { top: currentTarget.scrollTop })}
    >
      <ol aria-label={name} className="activity-rows" style={{ paddingBottom: below }}>
        {items.map(({ key, index, start }, at) => {
          const entry = list.rowAt(index)
          return entry ? (
            <ActivityEntry
              key={key}
              entry={entry}
              ref={virtualizer.measureElement}
              index={index}
              count={list.size}
              above={start - (items[at - 1]?.end ?? 0)}
            />
          ) : null
        })}
      </ol>
    </div>
  )
}
