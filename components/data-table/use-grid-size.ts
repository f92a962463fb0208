'use client'

import { type RefObject, useEffect, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { useAppConfig } from '../layout/app-config'

export type GridSize = {
  /** In pixels. */
  rowHeight: number
  /** The index of the breakpoint reached, -1 for a phone's cards; null until measured. */
  breakpoint: number | null
}

/** Desktop row heights in pixels, before one is measured. */
const DEFAULT_ROW_HEIGHT_PX = { comfortable: 44, compact: 32 }

/** The height that was measured last: the next list of this page load begins with it. */
let lastRowHeight: number | null = null

function measure(rows: Element): GridSize {
  const style = getComputedStyle(rows)
  const breakpoint = Number.parseInt(style.getPropertyValue('--dt-breakpoint'), 10)
  return {
    rowHeight: Number.parseFloat(style.getPropertyValue('--dt-row')) || DEFAULT_ROW_HEIGHT_PX.comfortable,
    breakpoint: Number.isNaN(breakpoint) ? null : breakpoint,
  }
}

/**
 * The row height and breakpoint that data-table.css derives from the list's width and density. Sets `data-slides`
 * while the list can scroll horizontally.
 */
export function useGridSize(scroller: RefObject<HTMLElement | null>): GridSize {
  const { isCompact } = useAppConfig()
  const usual = isCompact ? DEFAULT_ROW_HEIGHT_PX.compact : DEFAULT_ROW_HEIGHT_PX.comfortable
  const isHydrated = useHydrated()
  const [size, setSize] = useState<GridSize | null>(null)
  useEffect(() => {
    const element = scroller.current
    const rows = element?.lastElementChild
    if (!element || !rows) return undefined
    // The rows' container resizes with the height of a row.
    const resized = new ResizeObserver(() => {
      element.toggleAttribute('data-slides', element.scrollWidth > element.clientWidth)
      const next = measure(rows)
      lastRowHeight = next.rowHeight
      setSize((last) => (last?.rowHeight === next.rowHeight && last.breakpoint === next.breakpoint ? last : next))
    })
    resized.observe(element)
    resized.observe(rows)
    return () => resized.disconnect()
  }, [scroller])
  return size ?? { rowHeight: (isHydrated && lastRowHeight) || usual, breakpoint: null }
}
