'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListPlace } from '@/lib/browser/list-memory'
import { beginWindow, followWindow, keepScroll, type RowWindow } from './follow-window'

type Input = {
  /** The element that holds the rows; what scrolls is above it. */
  rows: RefObject<HTMLElement | null>
  rowHeight: number
  /** Where the reader is: read at first, written at every scroll. */
  place: ListPlace
}

const nothing = () => undefined

/** The rows in sight of a list whose rows React draws: `followWindow`, flushed within the frame of the scroll. */
export function useWindow({ rows, rowHeight, place }: Input): RowWindow {
  const [drawn, setDrawn] = useState(() => beginWindow(place, rowHeight))
  const isMounted = useRef(false)

  useLayoutEffect(() => {
    const scroller = rows.current?.closest<HTMLElement>('[data-scroller]')
    if (!scroller) return undefined
    if (!isMounted.current) keepScroll(scroller, place)
    isMounted.current = true
    const keep = (next: RowWindow) => (now: RowWindow) =>
      now.start === next.start && now.end === next.end ? now : next
    const draw = (next: RowWindow, isScroll: boolean) => {
      if (isScroll) flushSync(() => setDrawn(keep(next)))
      else setDrawn(keep(next))
    }
    return followWindow({ scroller, rowHeight, place, onReach: nothing, draw })
  }, [rows, rowHeight, place])

  return drawn
}
