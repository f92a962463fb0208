'use client'

import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import { pickColumns } from './arrange-columns'
import { drawRow } from './draw-row'
import { beginWindow, followWindow } from './follow-window'
import { listIndexes, readRowFace, RowPainter, type RowsFace } from './row-painter'

type TableRowsProps<List extends ListId> = Omit<RowsFace<List>, 'list' | 'inSight' | 'rowHeight'> & {
  kept: KeptList<ListRow<List>>
  rowHeight: number
  /** Which columns are in sight; null where that is not known yet. */
  stage: number | 'cards' | null
}

const shared = { role: 'rowgroup', className: 'dt-rows' }

/**
 * In the server's HTML: the rows that may be in sight with all columns, and without a script the others too. The first
 * frame waits for those in sight: the page is laid out once, not with each part that the browser has read of it.
 */
function RowsInHtml<List extends ListId>({ kept: { list, place }, rowHeight, ...props }: TableRowsProps<List>) {
  const face = { ...props, list, inSight: props.columns, rowHeight: null }
  const drawn = beginWindow(place, rowHeight)
  const draw = (index: number) => {
    const row = readRowFace(face, index)
    return row && drawRow(row)
  }
  return (
    <>
      <link rel="expect" href="#dt-in-sight" blocking="render" />
      <div {...shared} style={{ height: `calc(var(--dt-row) * ${list.size})` }}>
        {listIndexes(drawn, list.size, -1).map(draw)}
        <span id="dt-in-sight" hidden />
        <noscript>{listIndexes({ start: drawn.end, end: list.size }, list.size, -1).map(draw)}</noscript>
      </div>
    </>
  )
}

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
    if (!scroller) return undefined
    painter.current?.move(beginWindow(place, rowHeight), false)
    const isFirst = !isMounted.current
    isMounted.current = true
    return followWindow({
      scroller,
      isFirst,
      rowHeight,
      place,
      onReach: (end) => list.demand(end),
      draw: (next, isScroll) => attempt(() => painter.current?.move(next, isScroll), fail),
    })
  }, [list, place, rowHeight])

  useLayoutEffect(() => {
    // The reader came back to a list that was left: so does the focus.
    if (place.focusKey !== null)
      rows.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [place])

  return <div {...shared} ref={rows} dangerouslySetInnerHTML={painted} suppressHydrationWarning />
}

/** The rows in sight, and as much room as all rows take. The only part of a table that follows the scrolling. */
export const TableRows = typeof window === 'undefined' ? RowsInHtml : PaintedRows
