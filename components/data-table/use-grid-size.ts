'use client'

import { type RefObject, useEffect, useState } from 'react'
import { useAppConfig } from '../layout/app-config'

export type GridSize = {
  /** How high a row is, in pixels. */
  rowHeight: number
  /** How many of the stages at which columns join in are reached, -1 on a phone's cards; null until it is measured. */
  stage: number | null
}

/** Lines on a desk's screen, before one is measured. */
const usual = { apart: 44, close: 32 }

function measure(rows: Element): GridSize {
  const style = getComputedStyle(rows)
  const stage = Number.parseInt(style.getPropertyValue('--dt-stage'), 10)
  return {
    rowHeight: Number.parseFloat(style.getPropertyValue('--dt-row')) || usual.apart,
    stage: Number.isNaN(stage) ? null : stage,
  }
}

/**
 * What data-table.css makes of the width of the list and the density. Tells the style sheet by `data-slides` whether
 * the list can be scrolled sideways.
 */
export function useGridSize(scroller: RefObject<HTMLElement | null>): GridSize {
  const { isCompact } = useAppConfig()
  const [size, setSize] = useState<GridSize>({ rowHeight: isCompact ? usual.close : usual.apart, stage: null })
  useEffect(() => {
    const element = scroller.current
    const rows = element?.lastElementChild
    if (!element || !rows) return undefined
    // The room of all rows changes its size with the height of one.
    const resized = new ResizeObserver(() => {
      element.toggleAttribute('data-slides', element.scrollWidth > element.clientWidth)
      const next = measure(rows)
      setSize((last) => (last.rowHeight === next.rowHeight && last.stage === next.stage ? last : next))
    })
    resized.observe(element)
    resized.observe(rows)
    return () => resized.disconnect()
  }, [scroller])
  return size
}
