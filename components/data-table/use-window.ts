'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListPlace } from '@/lib/browser/list-memory'

/** Rows drawn beyond the edge that is scrolled towards, and beyond the other. */
const ahead = 8
const behind = 3
/** Rows in the server's HTML, which does not know the height of the screen. */
export const rowsInHtml = 28

export type RowWindow = { start: number; end: number }

type Input = {
  /** The element that holds the rows; what scrolls is above it. */
  rows: RefObject<HTMLElement | null>
  rowHeight: number
  /** Where the reader is: read at first, written at every scroll. */
  place: ListPlace
  /** Told one past the last row in sight. */
  onReach: (end: number) => void
}

/** The header row covers the top of the scroller. */
function measure(element: HTMLElement, rowHeight: number): { first: number; last: number } {
  const head = element.firstElementChild?.clientHeight ?? 0
  const first = Math.floor(element.scrollTop / rowHeight)
  return { first, last: first + Math.ceil((element.clientHeight - head) / rowHeight) + 1 }
}

/**
 * Which rows of a list of fixed-height rows are drawn. The window follows the scroller within the same
 * frame: it is computed in the scroll event, which comes before painting, and flushed there.
 */
export function useWindow({ rows, rowHeight, place, onReach }: Input): RowWindow {
  const [drawn, setDrawn] = useState<RowWindow>(() => {
    const first = Math.floor(place.scrollTop / rowHeight)
    return { start: Math.max(0, first - behind), end: first + rowsInHtml }
  })

  const isMounted = useRef(false)

  useLayoutEffect(() => {
    const element = rows.current?.closest<HTMLElement>('[data-scroller]')
    if (!element) return undefined
    // Whoever has scrolled before the page's script ran stays where they are.
    if (isMounted.current || place.scrollTop > 0) element.scrollTo({ top: place.scrollTop, behavior: 'instant' })
    isMounted.current = true
    const follow = (above: number, below: number): RowWindow => {
      const { first, last } = measure(element, rowHeight)
      place.scroll(element.scrollTop)
      onReach(last)
      return { start: Math.max(0, first - above), end: last + below }
    }
    const keep = (next: RowWindow) => (now: RowWindow) =>
      now.start === next.start && now.end === next.end ? now : next
    let later: ReturnType<typeof setTimeout> | undefined
    const scroll = () => {
      const by = element.scrollTop - place.scrollTop
      // Whoever flies over the list by whole screens sees none of the rows beyond the edges: they come with the rest.
      const isFlight = Math.abs(by) > element.clientHeight
      // At the end there are none yet: they show as soon as they are there.
      const isAtEnd = element.scrollTop + element.clientHeight > element.scrollHeight - rowHeight
      // Who moves fast is as far again by the next frame.
      const lead = Math.max(ahead, Math.ceil((Math.abs(by) / rowHeight) * 1.25))
      const [above, below] = isFlight ? [0, isAtEnd ? ahead : 0] : by < 0 ? [lead, behind] : [behind, lead]
      const next = follow(above, below)
      flushSync(() => setDrawn(keep(next)))
      clearTimeout(later)
      if (isFlight) later = setTimeout(() => setDrawn(keep(follow(behind, ahead))), 150)
    }
    // It reports once at first, before anything is painted.
    const resized = new ResizeObserver(() => setDrawn(keep(follow(behind, ahead))))
    resized.observe(element)
    element.addEventListener('scroll', scroll, { passive: true })
    return () => {
      clearTimeout(later)
      resized.disconnect()
      element.removeEventListener('scroll', scroll)
    }
  }, [rows, rowHeight, place, onReach])

  return drawn
}
