'use client'

import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { takeEarlyTicks } from '@/lib/browser/early-ask'
import type { ListId } from '@/lib/contract/ability'
import { pickColumns } from './arrange-columns'
import { followWindow, keepScroll } from './follow-window'
import { RowPainter } from './row-painter'
import { readRowHeight } from './use-grid-size'
import { rowGroup, RowsInHtml, type TableRowsProps } from './rows-in-html'

/** React leaves alone what is in such an element: the server's rows, then those of the painter. */
const painted = { __html: '' }

/** What fails where React does not see it is thrown where it does, for the page of an error. */
function attempt(act: () => void, fail: (thrower: () => never) => void): void {
  try {
    act()
  } catch (error) {
    fail(() => {
      throw error
    })
  }
}

function PaintedRows<List extends ListId>({ kept: { list, place }, rowHeight, stage, ...props }: TableRowsProps<List>) {
  const rows = useRef<HTMLDivElement>(null)
  const painter = useRef<RowPainter<List>>(null)
  const { table, columns, facts, selects, focusKey, openKey } = props
  const [, fail] = useState<never>()
  // The rows of the server's HTML have all columns, which the style sheet shows or hides: it knows no width.
  const inSight = useMemo(() => (stage === null ? columns : pickColumns(columns, stage)), [columns, stage])

  useLayoutEffect(() => {
    const height = stage === null ? null : rowHeight
    const face = { table, list, columns, inSight, facts, rowHeight: height, selects, focusKey, openKey }
    if (painter.current) painter.current.show(face)
    else if (rows.current) painter.current = new RowPainter(rows.current, face)
  }, [table, list, columns, inSight, facts, stage, rowHeight, selects, focusKey, openKey])

  useLayoutEffect(() => {
    const refresh = () => attempt(() => painter.current?.refresh(), fail)
    const stops = [list.changes, list.selection.changes].map(({ subscribe }) => subscribe(refresh))
    return () => stops.forEach((stop) => stop())
  }, [list])

  const isMounted = useRef(false)
  useLayoutEffect(() => {
    const scroller = rows.current?.closest<HTMLElement>('[data-scroller]')
    if (!rows.current || !scroller) return undefined
    const isFirst = !isMounted.current
    isMounted.current = true
    if (isFirst) keepScroll(scroller, place)
    return followWindow({
      scroller,
      // At first it is a guess: other rows than those in sight would be drawn.
      rowHeight: isFirst ? readRowHeight(rows.current) : rowHeight,
      place,
      onReach: (end) => list.demand(end),
      draw: (next, isScroll) => attempt(() => painter.current?.move(next, isScroll), fail),
    })
  }, [list, place, rowHeight])

  useLayoutEffect(() => {
    // Last: what is drawn before the window is known is in none.
    if (selects) list.selection.expect(takeEarlyTicks())
  }, [list, selects])

  useLayoutEffect(() => {
    // The reader came back to a list that was left: so does the focus.
    if (place.focusKey !== null)
      rows.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [place])

  return <div {...rowGroup} ref={rows} dangerouslySetInnerHTML={painted} suppressHydrationWarning />
}

/** The rows in sight, and as much room as all rows take. The only part of a table that follows the scrolling. */
export const TableRows = typeof window === 'undefined' ? RowsInHtml : PaintedRows
