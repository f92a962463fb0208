'use client'

import { type RefObject, useEffect, useState } from 'react'

/** What data-table.css has for the width of the list, the screen and the density. */
type GridSize = {
  /** Pixels. */
  rowHeight: number
  /** Which columns are in sight (`pickColumns`); null as long as the style sheet has not been asked. */
  stage: number | 'cards' | null
}

/** A line on a desk's screen. */
const usual: GridSize = { rowHeight: 44, stage: null }

/** The height of a row in pixels, by the style sheet. */
export function readRowHeight(rows: Element, style = getComputedStyle(rows)): number {
  return Number.parseFloat(style.getPropertyValue('--dt-row')) || usual.rowHeight
}

function readSize(rows: Element): GridSize {
  const style = getComputedStyle(rows)
  const stage = style.getPropertyValue('--dt-stage').trim()
  return {
    rowHeight: readRowHeight(rows, style),
    stage: stage === '' ? null : stage === 'cards' ? stage : Number(stage),
  }
}

/** Follows the size of a grid. Tells the style sheet by `data-slides` whether the list can be scrolled sideways. */
export function useGridSize(scroller: RefObject<HTMLElement | null>): GridSize {
  const [size, setSize] = useState(usual)
  useEffect(() => {
    const element = scroller.current
    const rows = element?.lastElementChild
    if (!element || !rows) return undefined
    // The room of all rows changes its size with the height of one.
    const resized = new ResizeObserver(() => {
      element.toggleAttribute('data-slides', element.scrollWidth > element.clientWidth)
      const next = readSize(rows)
      setSize((now) => (now.rowHeight === next.rowHeight && now.stage === next.stage ? now : next))
    })
    resized.observe(element)
    resized.observe(rows)
    return () => resized.disconnect()
  }, [scroller])
  return size
}
