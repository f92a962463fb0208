'use client'

import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { columnState, getVisibleColumns, getRowsHeight, type ShownColumn, getTrackStyles } from './column-layout'
import { isSelectingText, resizeColumn } from './grid-actions'
import { type ListDefinition, listFeatures } from './list-definition'
import { saveListPlace, getListPlace } from './list-place'
import { TableHeader } from './table-header'
import { TableRow } from './table-row'
import { readRowIndex, useGridFocus } from './use-grid-focus'
import { useGridSize } from './use-grid-size'
import type { RowList } from '../infinite-list/use-list-query'
import { useFormatCount } from '../layout/app-config'
import * as m from '@/lib/messages/m'
import type { Selection } from './use-selection'

type TableGridProps<List extends ListId> = {
  definition: ListDefinition<List>
  columns: readonly ShownColumn[]
  list: RowList<ListRow<List>>
  /** Identifies the view and the page load. */
  viewKey: string
  sorting: SortOrder | null
  onSortingChange: (order: SortOrder | null) => void
  onOpen: (key: string) => void
  openRowId: string | null
  /** Null where rows cannot be selected. */
  selection: Selection<ListRow<List>> | null
  /** The newest columns, which the rendered ones may lag behind. */
  readColumns: () => readonly ShownColumn[]
  /** Called with the new layout after a column was resized by its edge. */
  onLayoutChange: ((layout: string) => void) | undefined
}

// Floating UI is a tenth of a page's script: loaded on the first pointer or focus in the grid.
const loadTooltip = async () => (await import('./timestamp-tooltip')).TimestampTooltip

/** In pixels: the server renders the rows of a typical screen, and hydration must render the same. */
const INITIAL_RECT = { width: 1280, height: 1100 }
const OVERSCAN_ROWS = 6
const NOTHING_SELECTED = {}

/** The scrolling grid: header, virtual rows, and what clicks and keys do in it. */
export function TableGrid<List extends ListId>(props: TableGridProps<List>) {
  const { definition, columns, readColumns, list, viewKey, sorting, onSortingChange } = props
  const { onOpen, openRowId, selection, onLayoutChange } = props
  const formatCount = useFormatCount()
  const scroller = useRef<HTMLDivElement>(null)
  const { rowHeight, breakpoint } = useGridSize(scroller)
  const isMeasured = breakpoint !== null
  const shown = useRef({ viewKey, rowHeight, isMeasured })
  // Before the focus, which begins in the rows that are in sight then.
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { viewKey, rowHeight, isMeasured }
    const scrollTo = (top: number) => scroller.current?.scrollTo({ top, behavior: 'instant' })
    if (before.viewKey !== viewKey) scrollTo(getListPlace(viewKey).top)
    // The rows in sight stay in sight when another density, or a turned phone, gives them another height.
    else if (before.isMeasured && before.rowHeight !== rowHeight)
      scrollTo(((scroller.current?.scrollTop ?? 0) / before.rowHeight) * rowHeight)
  }, [viewKey, rowHeight, isMeasured])
  const focus = useGridFocus({ scroller, rowHeight, list, viewKey, selection, onOpen })
  const { focusKey, focusedIndex, moveTabStop } = focus
  const [hasInteracted, setHasInteracted] = useState(false)
  const { part: TimestampTooltip } = useLazyModule(hasInteracted, loadTooltip)

  // oxlint-disable-next-line react/incompatible-library -- nothing that is memoised is given it
  const virtualizer = useVirtualizer({
    count: list.size,
    // Another function makes it measure again, in the render that knows the new height.
    // oxlint-disable-next-line react/exhaustive-deps -- the height
    getItemKey: useCallback((index: number) => index, [rowHeight]),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    initialRect: INITIAL_RECT,
    initialOffset: () => getListPlace(viewKey).top,
    // The row with the tab stop stays rendered wherever it is: focus and keys continue from it.
    rangeExtractor: useCallback(
      (range: Range) => {
        const inSight = defaultRangeExtractor(range)
        if (focusedIndex < 0 || focusedIndex >= range.count || inSight.includes(focusedIndex)) return inSight
        return [...inSight, focusedIndex].toSorted((left, right) => left - right)
      },
      [focusedIndex],
    ),
  })

  const indexes = virtualizer.getVirtualIndexes()
  const lastVisible = virtualizer.range?.endIndex ?? 0
  useEffect(() => list.loadUntil(lastVisible), [list, lastVisible])

  const visibleColumns = useMemo(() => getVisibleColumns(columns, breakpoint), [columns, breakpoint])
  const shownState = useMemo(() => columnState(definition.columns, visibleColumns), [definition, visibleColumns])
  const sortingState: SortingState = sorting ? [{ id: sorting.field, desc: sorting.direction === 'desc' }] : []
  const table = useTable({
    features: listFeatures,
    columns: definition.columns,
    data: useMemo(() => indexes.flatMap((index) => list.rowAt(index) ?? []), [list, indexes]),
    getRowId: (_row, at) => list.keyAt(indexes[at] ?? -1),
    defaultColumn: { enableSorting: false },
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { ...shownState, sorting: sortingState, rowSelection: selection?.state ?? NOTHING_SELECTED },
    onSortingChange: (update) => {
      const [next] = functionalUpdate(update, sortingState)
      onSortingChange(next ? { field: next.id, direction: next.desc ? 'desc' : 'asc' } : null)
    },
  })

  const showOpenRow = useEffectEvent((key: string) => {
    const index = list.indexOf(key)
    if (index >= 0) focus.reveal(index)
  })
  // Going from payment to payment in the panel takes the list along.
  const shownRow = useRef(openRowId)
  useLayoutEffect(() => {
    if (openRowId !== null && openRowId !== shownRow.current) showOpenRow(openRowId)
    shownRow.current = openRowId
  }, [openRowId])

  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const index = readRowIndex(event.target)
    if (index < 0 || !(event.target instanceof Element)) return
    moveTabStop(index)
    // The whole cell is the target, as large as a finger.
    if (event.target.closest('.dt-select')) return selection?.toggle(index, event.shiftKey)
    const isOwnAction = event.target.closest('button, input') || event.metaKey || event.ctrlKey || event.shiftKey
    if (isOwnAction || isSelectingText(event, event.target)) return
    // The link serves "open in new tab"; a plain click opens the row here.
    event.preventDefault()
    onOpen(list.keyAt(index))
  }

  function onPointerDown({ target, clientX, button }: PointerEvent<HTMLDivElement>): void {
    // A phone's cards have no columns, and no edges to drag.
    if (!onLayoutChange || button !== 0 || breakpoint === -1) return
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[role=columnheader]') : null
    if (cell && clientX >= cell.getBoundingClientRect().right - 8)
      resizeColumn(cell, clientX, readColumns(), onLayoutChange)
  }

  const isSelectable = selection !== null
  return (
    <>
      <p className="dt-print-note">
        {m.lists_printed({ shown: formatCount(indexes.length), count: formatCount(list.loaded) })}
      </p>
      <div
        ref={scroller}
        role="grid"
        className="dt-scroller"
        aria-label={definition.name()}
        aria-rowcount={list.isProcessed && list.pagination.kind === 'complete' ? list.size + 1 : -1}
        aria-colcount={visibleColumns.length + (isSelectable ? 1 : 0)}
        aria-multiselectable={isSelectable || undefined}
        tabIndex={focusedIndex < 0 ? 0 : -1}
        data-scroller=""
        style={useMemo(() => getTrackStyles(columns, isSelectable), [columns, isSelectable])}
        onKeyDown={focus.onKeyDown}
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
        onFocusCapture={() => setHasInteracted(true)}
        onClick={onClick}
        onAuxClick={({ target }) => readRowIndex(target) >= 0 && moveTabStop(readRowIndex(target))}
        onPointerOver={() => setHasInteracted(true)}
        onPointerDown={onPointerDown}
        onScroll={({ currentTarget }) => saveListPlace(viewKey, { top: currentTarget.scrollTop })}
      >
        <TableHeader headers={table.getFlatHeaders()} columns={visibleColumns} {...{ sorting, selection }} />
        <div role="rowgroup" className="dt-rows" style={{ height: getRowsHeight(list.size) }}>
          {table.getRowModel().rows.map((row, at) => (
            <TableRow
              key={row.id}
              definition={definition}
              row={row}
              index={indexes[at] ?? 0}
              columns={visibleColumns}
              isSelected={selection && row.getIsSelected()}
              isOpen={row.id === openRowId}
              isTabStop={row.id === focusKey}
            />
          ))}
        </div>
      </div>
      {TimestampTooltip ? <TimestampTooltip grid={scroller} /> : null}
    </>
  )
}
