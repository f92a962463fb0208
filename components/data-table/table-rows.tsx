'use client'

import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import { pickColumns } from './arrange-columns'
import type { CellFacts } from './cell-facts'
import type { ListRow } from '@/lib/contract/list-page'
import type { Column, TableDefinition } from './define-table'
import { TableRow } from './table-row'
import { type RowWindow, rowsInHtml, useWindow } from './use-window'

type TableRowsProps<List extends ListId> = {
  table: TableDefinition<List>
  columns: readonly Column<ListRow<List>>[]
  kept: KeptList<ListRow<List>>
  rowHeight: number
  /** Which columns are in sight; null where that is not known yet. */
  stage: number | 'cards' | null
  /** Key of the row with the tab stop: it stays drawn wherever the reader scrolls. */
  focusKey: string | null
  openKey: string | null
  selects: boolean
  facts: CellFacts
}

function listIndexes({ start, end }: RowWindow, size: number, focused: number): number[] {
  const to = Math.min(end, size)
  const from = Math.max(0, Math.min(start, to))
  const indexes = Array.from({ length: to - from }, (_, offset) => from + offset)
  if (focused < 0 || (focused >= from && focused < to)) return indexes
  return focused < from ? [focused, ...indexes] : [...indexes, focused]
}

/** The rows in sight, and as much room as all rows take. The only part of a table that follows the scrolling. */
export function TableRows<List extends ListId>({
  table,
  columns,
  kept,
  rowHeight,
  stage,
  focusKey,
  openKey,
  selects,
  facts,
}: TableRowsProps<List>) {
  const { list, place } = kept
  const rows = useRef<HTMLDivElement>(null)
  useSyncExternalStore(list.changes.subscribe, list.changes.getVersion, list.changes.getVersion)
  const ticks = list.selection.changes
  useSyncExternalStore(ticks.subscribe, ticks.getVersion, ticks.getVersion)
  const reach = useCallback((end: number) => list.demand(end), [list])
  const drawn = useWindow({ rows, rowHeight, place, onReach: reach })
  // The rows of the server's HTML have all columns, which the style sheet shows or hides: it knows no width.
  const inSight = useMemo(() => (stage === null ? columns : pickColumns(columns, stage)), [columns, stage])
  const focused = focusKey === null ? -1 : list.indexOf(focusKey)

  useLayoutEffect(() => {
    // The reader came back to a list that was left: so does the focus.
    if (place.focusKey !== null)
      rows.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [place])

  function draw(index: number): ReactNode {
    const row = list.rowAt(index)
    if (row === undefined) return null
    const key = list.keyAt(index)
    return (
      <TableRow<ListRow<List>>
        key={key}
        row={row}
        index={index}
        id={row.id}
        label={table.rowLabel(row)}
        status={table.status?.(row)}
        columns={index < rowsInHtml ? columns : inSight}
        facts={facts}
        isSelected={selects ? list.selection.keys.has(key) : null}
        isOpen={key === openKey}
        isTabStop={index === focused}
      />
    )
  }

  return (
    <div ref={rows} role="rowgroup" className="dt-rows" style={{ height: `calc(var(--dt-row) * ${list.size})` }}>
      {listIndexes(drawn, list.size, focused).map(draw)}
      <noscript>
        {typeof window === 'undefined'
          ? listIndexes({ start: drawn.end, end: list.size }, list.size, -1).map(draw)
          : null}
      </noscript>
    </div>
  )
}
