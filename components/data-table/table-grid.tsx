'use client'

import { type FocusEvent, type MouseEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import type { Order } from '@/lib/contract/filter'
import type { CellFacts } from './cell-facts'
import type { ListRow } from '@/lib/contract/list-page'
import type { TableDefinition } from './define-table'
import { TableHead } from './table-head'
import { TableRows } from './table-rows'
import { readRowIndex, useGridKeys } from './use-grid-keys'
import { useRowHeight } from './use-window'

type TableGridProps<List extends ListId> = {
  table: TableDefinition<List>
  kept: KeptList<ListRow<List>>
  facts: CellFacts
  order: Order | null
  onOrder: (order: Order | null) => void
  onOpen: ((key: string) => void) | undefined
  openKey: string | null
}

/** The least width that the columns need together: below it the grid scrolls sideways. */
function sumWidths(widths: readonly string[]): string {
  const least = widths.map((width) => Number.parseFloat(/([\d.]+)rem/u.exec(width)?.[1] ?? '0'))
  return `${least.reduce((sum, width) => sum + width, 0)}rem`
}

/** The scrolling grid: header, rows, and the keys that move over them. Mount it anew for another list. */
export function TableGrid<List extends ListId>({
  table,
  kept,
  facts,
  order,
  onOrder,
  onOpen,
  openKey,
}: TableGridProps<List>) {
  const { list, place } = kept
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const [focusKey, setFocusKey] = useState(place.focusKey)
  // One number, so that a page more does not render the grid again: -1 until the list is whole.
  const readCount = () => (list.walk.kind === 'complete' ? list.size + 1 : -1)
  const rowCount = useSyncExternalStore(list.changes.subscribe, readCount, readCount)

  const widths = ['2.25rem', ...table.columns.map(({ width }) => width)]
  const style: Record<`--${string}`, string> = {
    '--dt-columns': widths.join(' '),
    '--dt-width': `calc(${sumWidths(widths)} + 2 * var(--dt-pad))`,
  }

  function focusRow(index: number): void {
    const key = list.keyAt(index)
    place.focus(key)
    setFocusKey(key)
  }

  const open = onOpen && ((index: number) => onOpen(list.keyAt(index)))
  const keys = useGridKeys({
    scroller,
    rowHeight,
    read: () => ({ size: list.size, focused: focusKey === null ? -1 : list.indexOf(focusKey) }),
    onFocusRow: focusRow,
    onToggle: (index) => list.toggle(list.keyAt(index)),
    onOpen: open,
  })

  function onFocus(event: FocusEvent<HTMLDivElement>): void {
    const index = readRowIndex(event.target)
    if (index >= 0) focusRow(index)
    // Only the keyboard brings the focus to the grid itself: it goes on to the first row in sight.
    else if (event.target === event.currentTarget && event.target.matches(':focus-visible'))
      keys.moveTo(keys.firstInSight())
  }

  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const index = readRowIndex(event.target)
    if (index < 0 || !(event.target instanceof Element)) return
    if (event.target.closest('.dt-select')) {
      // The whole cell, not the box alone: it is as large as a finger.
      list.toggle(list.keyAt(index))
      return
    }
    const isForItself = event.target.closest('button, input') || event.metaKey || event.ctrlKey || event.shiftKey
    if (isForItself || !open) return
    // A row's link is for opening it in a tab of its own; a plain click opens the row here.
    event.preventDefault()
    open(index)
  }

  return (
    <div
      ref={scroller}
      role="grid"
      className="dt-scroller"
      aria-label={table.name}
      aria-rowcount={rowCount}
      aria-colcount={table.columns.length + 1}
      aria-multiselectable="true"
      tabIndex={focusKey === null ? 0 : -1}
      data-scroller=""
      data-opens={onOpen ? '' : undefined}
      style={style}
      onKeyDown={keys.onKeyDown}
      onFocus={onFocus}
      onClick={onClick}
    >
      <TableHead columns={table.columns} order={order} onOrder={onOrder} />
      <TableRows table={table} kept={kept} rowHeight={rowHeight} focusKey={focusKey} openKey={openKey} facts={facts} />
    </div>
  )
}
