'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'
import { useAppConfig } from '../layout/app-config'

export type GridSize = {
  /** In pixels. */
  rowHeight: number
  /** The index of the breakpoint reached, -1 for a phone's cards; null until measured. */
  breakpoint: number | null
}

/** Desktop row heights in pixels, before one is measured. */
const ROW_HEIGHT_PX = { comfortable: 44, compact: 32 }

/** What was measured last: the next list of this page load begins with it, and reads no further than it shows. */
let lastRowHeight: number | null = null

/**
 * The row height and breakpoint that data-table.css derives from the list's width and density. Sets `data-slides`
 * while the list can scroll horizontally.
 */
export function useGridSize(scroller: RefObject<HTMLElement | null>): GridSize {
  const { isCompact } = useAppConfig()
  const [size, setSize] = useState<GridSize>(() => ({
    rowHeight: lastRowHeight ?? ROW_HEIGHT_PX[isCompact ? 'compact' : 'comfortable'],
    breakpoint: null,
  }))
  // Before the first paint: a list that one comes back to stands in its place at once.
  useLayoutEffect(() => {
    const element = scroller.current
    const rows = element?.lastElementChild
    if (!element || !rows) return undefined
    const measure = () => {
      element.toggleAttribute('data-slides', element.scrollWidth > element.clientWidth)
      const style = getComputedStyle(rows)
      const rowHeight = Number.parseFloat(style.getPropertyValue('--dt-row'))
      const breakpoint = Number.parseInt(style.getPropertyValue('--dt-breakpoint'), 10)
      // Without the style sheet there is neither.
      if (Number.isNaN(rowHeight) || Number.isNaN(breakpoint)) return
      lastRowHeight = rowHeight
      setSize((last) =>
        last.rowHeight === rowHeight && last.breakpoint === breakpoint ? last : { rowHeight, breakpoint },
      )
    }
    measure()
    // The rows' container resizes with the height of a row.
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    resized.observe(rows)
    return () => resized.disconnect()
  }, [scroller])
  return size
}
