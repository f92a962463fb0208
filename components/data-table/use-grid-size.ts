'use client'

import { type RefObject, useEffect, useState } from 'react'

/** A line on a desk's screen, in pixels. */
const usual = 44

/**
 * The height of a row in pixels, which data-table.css has for the width of the screen and the density. Tells the style
 * sheet by `data-slides` whether the list can be scrolled sideways.
 */
export function useGridSize(scroller: RefObject<HTMLElement | null>): number {
  const [rowHeight, setRowHeight] = useState(usual)
  useEffect(() => {
    const element = scroller.current
    const rows = element?.lastElementChild
    if (!element || !rows) return undefined
    // The room of all rows changes its size with the height of one.
    const resized = new ResizeObserver(() => {
      element.toggleAttribute('data-slides', element.scrollWidth > element.clientWidth)
      setRowHeight(Number.parseFloat(getComputedStyle(rows).getPropertyValue('--dt-row')) || usual)
    })
    resized.observe(element)
    resized.observe(rows)
    return () => resized.disconnect()
  }, [scroller])
  return rowHeight
}
