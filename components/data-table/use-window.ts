'use client'

import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListPlace } from '@/lib/browser/list-memory'

/** Rows drawn beyond the edge that is scrolled towards, and beyond the other. */
const ahead = 8
const behind = 3
/** Rows in the server's HTML, which does not know the height of the screen. */
const firstGuess = 28

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
    return { start: Math.max(0, first - behind), end: first + firstGuess }
  })

  useLayoutEffect(() => {
    const element = rows.current?.closest<HTMLElement>('[data-scroller]')
    if (!element) return undefined
    element.scrollTo({ top: place.scrollTop, behavior: 'instant' })
    const follow = (isDownward: boolean): RowWindow => {
      const { first, last } = measure(element, rowHeight)
      place.scroll(element.scrollTop)
      onReach(last)
      const [above, below] = isDownward ? [behind, ahead] : [ahead, behind]
      return { start: Math.max(0, first - above), end: last + below }
    }
    const keep = (next: RowWindow) => (now: RowWindow) =>
      now.start === next.start && now.end === next.end ? now : next
    const scroll = () => {
      const next = follow(element.scrollTop >= place.scrollTop)
      flushSync(() => setDrawn(keep(next)))
    }
    // It reports once at first, before anything is painted.
    const resized = new ResizeObserver(() => setDrawn(keep(follow(true))))
    resized.observe(element)
    element.addEventListener('scroll', scroll, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scroll)
    }
  }, [rows, rowHeight, place, onReach])

  return drawn
}

const phone = '(width < 48rem)'

/** Heights of a row, as in data-table.css: a line on a desk's screen, a card on a phone. */
export const rowHeights = { line: 44, card: 112 } as const

/** The height of a row on this screen. The server's HTML leaves it to the style sheet. */
export function useRowHeight(): number {
  const [height, setHeight] = useState<number>(rowHeights.line)
  useEffect(() => {
    const query = matchMedia(phone)
    const read = () => setHeight(query.matches ? rowHeights.card : rowHeights.line)
    read()
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return height
}
