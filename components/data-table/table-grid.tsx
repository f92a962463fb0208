'use client'

import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import dynamic from 'next/dynamic'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { columnsInSight, columnState, inRows, type ShownColumn, writeTracks } from './column-layout'
import { copyValue, isSelectingText, resizeColumn } from './grid-actions'
import { type ListDefinition, listFeatures } from './list-definition'
import { saveScrollPosition, getScrollPosition } from './scroll-position'
import { TableHeader } from './table-header'
import { TableRow } from './table-row'
import { readRowIndex, useGridKeys } from './use-grid-keys'
import { useGridSize } from './use-grid-size'
import type { RowList } from './use-list-query'
import type { Selection } from './use-selection'

export type TableGridProps<List extends ListId> = {
  definition: ListDefinition<List>
  columns: readonly ShownColumn[]
  list: RowList<ListRow<List>>
  /** Identifies the view and the page load. */
  viewKey: string
  order: SortOrder | null
  onOrder: (order: SortOrder | null) => void
  onOpen: ((key: string) => void) | undefined
  openKey: string | null
  /** Null where rows cannot be selected. */
  selection: Selection<ListRow<List>> | null
  /** Called with the new layout after a column was resized by its edge. */
  onLayout: ((layout: string) => void) | undefined
}

// Floating UI is a tenth of a page's script: loaded on the first pointer or focus in the grid.
const TimestampTooltip = dynamic(async () => (await import('./timestamp-tooltip')).TimestampTooltip, { ssr: false })

/** In pixels: the server renders the rows of a typical screen, and hydration must render the same. */
const initialRect = { width: 1280, height: 1000 }
const overscan = 8

/** The scrolling grid: header, virtual rows and keyboard navigation. */
export function TableGrid<List extends ListId>(props: TableGridProps<List>) {
  const { definition, columns, list, viewKey, order, onOrder, onOpen, openKey, selection, onLayout } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { rowHeight, stage } = useGridSize(scroller)
  // A view opens where the reader left it, a new one at its top.
  const [tabStop, setTabStop] = useState(() => ({ of: viewKey, key: getScrollPosition(viewKey).focusKey }))
  if (tabStop.of !== viewKey) setTabStop({ of: viewKey, key: getScrollPosition(viewKey).focusKey })
  const focusKey = tabStop.key
  const [isReached, setReached] = useState(false)
  const focused = focusKey === null ? -1 : list.indexOf(focusKey)

  // oxlint-disable-next-line react/incompatible-library -- nothing that is memoised is given it
  const virtualizer = useVirtualizer({
    count: list.size,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    initialRect,
    initialOffset: () => getScrollPosition(viewKey).top,
    // The focused row stays mounted wherever it is: the keys continue from it.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
      return [...indexes, focused].toSorted((left, right) => left - right)
    },
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])

  const indexes = virtualizer.getVirtualIndexes().filter((index) => index < list.size)
  const last = virtualizer.range?.endIndex ?? 0
  useEffect(() => list.demand(last), [list, last])

  const shownView = useRef(viewKey)
  useLayoutEffect(() => {
    if (shownView.current === viewKey) return
    shownView.current = viewKey
    scroller.current?.scrollTo({ top: getScrollPosition(viewKey).top, behavior: 'instant' })
  }, [viewKey])

  // When a focused row unmounts, the focus moves to the row with the tab stop.
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return
    const grid = scroller.current
    const row = grid?.querySelector<HTMLElement>('[data-row-id][tabindex="0"]')
    ;(row ?? grid)?.focus({ preventScroll: true })
  })

  const window = indexes.join(' ')
  // oxlint-disable-next-line react/exhaustive-deps -- `window` has the indexes
  const data = useMemo(() => indexes.flatMap((index) => list.rowAt(index) ?? []), [list, window])
  const sorting: SortingState = order ? [{ id: order.field, desc: order.direction === 'desc' }] : []
  const inSight = useMemo(() => columnsInSight(columns, stage), [columns, stage])
  const state = useMemo(() => columnState(definition.columns, inSight), [definition, inSight])
  const table = useTable({
    features: listFeatures,
    columns: definition.columns,
    data,
    getRowId: (_row, at) => list.keyAt(indexes[at] ?? -1),
    defaultColumn: { enableSorting: false },
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { ...state, sorting, ...(selection && { rowSelection: selection.state }) },
    onSortingChange: (update) => {
      const [next] = functionalUpdate(update, sorting)
      onOrder(next ? { field: next.id, direction: next.desc ? 'desc' : 'asc' } : null)
    },
  })

  function moveTabStop(key: string): void {
    saveScrollPosition(viewKey, { focusKey: key })
    setTabStop({ of: viewKey, key })
  }

  const open = onOpen && ((index: number) => onOpen(list.keyAt(index)))
  const keys = useGridKeys({
    scroller,
    rowHeight,
    read: () => ({ size: list.size, focused }),
    onFocusRow: (index) => moveTabStop(list.keyAt(index)),
    onOpen: open,
    onCopy: (index, isHandle) => {
      const row = list.rowAt(index)
      const value = (isHandle && row?.handle) || row?.id
      if (value) void copyValue(value)
    },
    ...(selection && {
      onTick: selection.tick,
      onExtend: selection.extend,
      onUntick: () => selection.count > 0 && selection.clear(),
    }),
  })

  function onFocus({ target, currentTarget }: FocusEvent<HTMLDivElement>): void {
    hadFocus.current = true
    setReached(true)
    const isByKeys = target.matches(':focus-visible')
    const row = target.closest<HTMLElement>('[data-row-id]')
    // Dates are focused by keyboard only; a click on one is a click on its row.
    if (target.tagName === 'TIME' && !isByKeys) return row?.focus({ preventScroll: true })
    const index = readRowIndex(target)
    if (index >= 0) {
      // A mouse press moves the tab stop on click, so that both effects render together.
      if (!target.matches(':active')) moveTabStop(list.keyAt(index))
    } else if (target === currentTarget && isByKeys) keys.moveTo(keys.firstInSight())
  }

  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const index = readRowIndex(event.target)
    if (index < 0 || !(event.target instanceof Element)) return
    moveTabStop(list.keyAt(index))
    // The whole cell is the target, as large as a finger.
    if (event.target.closest('.dt-select')) return selection?.tick(index, event.shiftKey)
    const isForItself = event.target.closest('button, input') || event.metaKey || event.ctrlKey || event.shiftKey
    if (isForItself || !open || isSelectingText(event, event.target)) return
    // The link serves "open in new tab"; a plain click opens the row here.
    event.preventDefault()
    open(index)
  }

  function onPointerDown({ target, clientX }: PointerEvent<HTMLDivElement>): void {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[role=columnheader]') : null
    if (onLayout && cell && clientX >= cell.getBoundingClientRect().right - 8)
      resizeColumn(cell, clientX, inSight, definition.columns, onLayout)
  }

  const selects = selection !== null
  const tracks = useMemo(() => writeTracks(columns, selects), [columns, selects])
  const isShort = definition.columns.every(({ meta }) => !meta?.card.startsWith('foot'))
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        className="dt-scroller"
        aria-label={definition.name}
        aria-rowcount={list.walk.kind === 'complete' ? list.size + 1 : -1}
        aria-colcount={inSight.length + (selection ? 1 : 0)}
        aria-multiselectable={selection ? true : undefined}
        data-selects={selection ? '' : undefined}
        tabIndex={focused < 0 ? 0 : -1}
        data-scroller=""
        data-opens={onOpen ? '' : undefined}
        data-sizes={onLayout ? '' : undefined}
        data-short={isShort ? '' : undefined}
        style={tracks}
        onKeyDown={keys.onKeyDown}
        onFocus={onFocus}
        onBlur={() => (hadFocus.current = false)}
        onClick={onClick}
        onAuxClick={({ target }) => readRowIndex(target) >= 0 && moveTabStop(list.keyAt(readRowIndex(target)))}
        onPointerOver={() => setReached(true)}
        onPointerDown={onPointerDown}
        onScroll={({ currentTarget }) => saveScrollPosition(viewKey, { top: currentTarget.scrollTop })}
      >
        <TableHeader table={table} columns={inSight} order={order} selection={selection} />
        <div role="rowgroup" className="dt-rows" style={{ height: inRows(list.size) }}>
          {table.getRowModel().rows.map((row, at) => {
            const index = indexes[at] ?? 0
            const { original, id } = row
            return (
              <TableRow
                key={id}
                row={row}
                index={index}
                id={original.id ?? ''}
                label={definition.rowLabel(original)}
                status={definition.status?.(original)}
                columns={inSight}
                isSelected={selection && selection.state[id] === true}
                isOpen={id === openKey}
                isTabStop={id === focusKey}
              />
            )
          })}
        </div>
      </div>
      {isReached ? <TimestampTooltip grid={scroller} /> : null}
    </>
  )
}
