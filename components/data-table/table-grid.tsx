'use client'

import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import type { Order } from '@/lib/contract/filter'
import type { CellFacts } from './cell-facts'
import type { ListRow } from '@/lib/contract/list-page'
import type { Column, TableDefinition } from './define-table'
import type { FirstRows } from './first-rows'
import { isMarking } from './marked-text'
import { SelectAll } from './select-all'
import { TableHead } from './table-head'
import { TableRows } from './table-rows'
import { readRowIndex, useGridKeys } from './use-grid-keys'
import { useGridSize } from './use-grid-size'
import { useTabStop } from './use-tab-stop'
import { writeTracks } from './write-tracks'

type TableGridProps<List extends ListId> = {
  table: TableDefinition<List>
  columns: readonly Column<ListRow<List>>[]
  kept: KeptList<ListRow<List>>
  /** The page that comes after the first one, as the server read it. */
  next: FirstRows['next']
  facts: CellFacts
  order: Order | null
  onOrder: (order: Order | null) => void
  /** Where the focus was in the grid that this one takes the place of: the column of a header, '' elsewhere in it. */
  focusLeftRef: RefObject<string | null>
  onOpen: ((key: string) => void) | undefined
  openKey: string | null
  /** Whether rows can be selected: only where something can be done with them. */
  selects: boolean
  /** Takes the columns as they are once one was made wider or narrower by its edge. */
  onLayout: ((layout: string) => void) | undefined
}

function copy(value: string | null | undefined): void {
  if (value) void import('./copy-value').then(({ copyValue }) => copyValue(value))
}

/** The full moment of a short date that the pointer moves over or the focus is on; one that comes to lie under a pointer at rest is left alone. */
function showMoment(target: EventTarget): void {
  if (target instanceof HTMLTimeElement) void import('./show-moment').then((tip) => tip.showMoment(target))
}

/** The button in a row that does what the table's rows can do. */
function findAct(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-act]') : null
}

/** The scrolling grid: header, rows, and the keys that move over them. Mount it anew for another list. */
export function TableGrid<List extends ListId>({
  table,
  columns,
  kept,
  next,
  facts,
  order,
  onOrder,
  focusLeftRef,
  onOpen,
  openKey,
  selects,
  onLayout,
}: TableGridProps<List>) {
  const { list, place } = kept
  const scroller = useRef<HTMLDivElement>(null)
  const tabStop = useTabStop(place)
  // One number, so that a page more does not render the grid again: -1 until the list is whole.
  const readCount = () => (list.walk.kind === 'complete' ? list.size + 1 : -1)
  const rowCount = useSyncExternalStore(list.changes.subscribe, readCount, readCount)

  const isShort = table.columns.every(({ card }) => !card.startsWith('foot'))
  const { rowHeight, stage } = useGridSize(scroller)

  // Another order, or another way to ask once more is proven, mounts the grid anew: the focus goes on in it.
  useLayoutEffect(() => {
    const grid = scroller.current
    const left = focusLeftRef.current
    focusLeftRef.current = null
    if (left !== null && document.activeElement === document.body) {
      const place = left ? `[data-column="${CSS.escape(left)}"] button` : '[data-row-id][tabindex="0"]'
      const there = grid?.querySelector<HTMLElement>(place) ?? grid
      there?.focus({ preventScroll: true })
    }
    return () => {
      const focused = grid?.contains(document.activeElement) ? document.activeElement : null
      focusLeftRef.current = focused && (focused.closest<HTMLElement>('[data-column]')?.dataset.column ?? '')
    }
  }, [focusLeftRef])

  /** The row's id, or its handle where it has one. */
  function copyKey(index: number, isHandle: boolean): void {
    const row = list.rowAt(index)
    copy((isHandle && row?.handle) || row?.id)
  }

  const open = onOpen && ((index: number) => onOpen(list.keyAt(index)))
  const keys = useGridKeys({
    scroller,
    rowHeight,
    read: () => ({ size: list.size, focused: tabStop.key === null ? -1 : list.indexOf(tabStop.key) }),
    onFocusRow: (index) => tabStop.give(list.keyAt(index)),
    onOpen: open,
    onCopy: copyKey,
    ...(selects && {
      onTick: (index: number, isRange: boolean) => list.selection.tickAt(index, isRange),
      onExtend: (from: number, to: number) => list.selection.extend(from, to),
      onUntick: () => list.selection.isAny && list.selection.clear(),
    }),
  })

  /** The pointer moves over something, or the focus is on it. */
  function point(target: EventTarget): void {
    showMoment(target)
    if (findAct(target)) table.act?.prepare()
  }

  function onFocus(event: FocusEvent<HTMLDivElement>): void {
    const { target } = event
    // A date is gone to by keys; whoever presses it presses its row.
    if (target instanceof HTMLTimeElement && !target.matches(':focus-visible'))
      return target.closest<HTMLElement>('[data-row-id]')?.focus({ preventScroll: true })
    const index = readRowIndex(target, list.size)
    point(target)
    if (index >= 0) {
      const key = list.keyAt(index)
      if (target.matches(':focus-visible')) tabStop.give(key)
      else tabStop.giveLater(key)
    }
    // Only the keyboard brings the focus to the grid itself: it goes on to the first row in sight.
    else if (event.target === event.currentTarget && event.target.matches(':focus-visible'))
      keys.moveTo(keys.firstInSight())
  }

  /** A row of the server's HTML that the list does not have yet is ticked, or no more, once it is here. */
  function tickAhead(target: Element): void {
    const box = target.closest('.dt-select')?.querySelector('input')
    const id = target.closest<HTMLElement>('[data-row-id]')?.dataset.rowId
    if (!box || !id) return
    if (target !== box) box.checked = !box.checked
    list.selection.expect([id], box.checked)
  }

  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const index = readRowIndex(event.target, list.size)
    if (!(event.target instanceof Element)) return
    if (index < 0) return tickAhead(event.target)
    const copied = event.target.closest<HTMLElement>('[data-copy]')
    if (copied) return copy(copied.dataset.copy)
    // The whole cell, not the box alone: it is as large as a finger.
    const ticked = event.target.closest('.dt-select')
    if (ticked) {
      list.selection.tickAt(index, event.shiftKey)
      // The browser has turned the box over already; a tick that was there may stay.
      const box = ticked.querySelector('input')
      if (box) box.checked = list.selection.keys.has(list.keyAt(index))
      return
    }
    const button = findAct(event.target)
    const row = list.rowAt(index)
    if (button && row) return table.act?.run(row, button)
    const isForItself = event.target.closest('button, input') || event.metaKey || event.ctrlKey || event.shiftKey
    if (isForItself || !open || isMarking(event, event.target)) return
    // A row's link is for opening it in a tab of its own; a plain click opens the row here.
    event.preventDefault()
    open(index)
  }

  /** The edge of a header is dragged: what does that is fetched with the first touch. */
  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[role=columnheader]') : null
    if (!onLayout || !cell || event.clientX < cell.getBoundingClientRect().right - 8) return
    const { clientX } = event
    void import('./resize-column').then(({ resizeColumn }) =>
      resizeColumn(cell, clientX, columns, table.columns, onLayout),
    )
  }

  return (
    <div
      ref={scroller}
      role="grid"
      className="dt-scroller"
      aria-label={table.name}
      aria-rowcount={rowCount}
      aria-colcount={columns.length + (selects ? 1 : 0)}
      aria-multiselectable={selects || undefined}
      data-selects={selects ? '' : undefined}
      tabIndex={tabStop.key === null ? 0 : -1}
      data-scroller=""
      data-opens={onOpen ? '' : undefined}
      data-sizes={onLayout ? '' : undefined}
      data-short={isShort ? '' : undefined}
      style={writeTracks(columns, selects)}
      onKeyDown={keys.onKeyDown}
      onFocus={onFocus}
      onClick={onClick}
      onPointerDown={onPointerDown}
      onPointerMove={({ target }) => point(target)}
    >
      <TableHead
        columns={columns}
        select={selects ? <SelectAll list={list} /> : null}
        order={order}
        onOrder={onOrder}
      />
      <TableRows
        table={table}
        columns={columns}
        kept={kept}
        next={next}
        rowHeight={rowHeight}
        stage={stage}
        focusKey={tabStop.key}
        openKey={openKey}
        selects={selects}
        facts={facts}
      />
    </div>
  )
}
