'use client'

import { type RowSelectionState, type Updater, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { createContext, type FocusEvent, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { getListPlace, saveListPlace } from '@/components/data-table/list-place'
import { useFormatCount } from '@/components/layout/app-config'
import { Checkbox } from '@/components/ui/input'
import { mergeClasses } from '@/components/ui/merge-classes'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BulkResultRow } from '@/lib/domain/cancellations/bulk-cancellation'
import {
  type BulkColumns,
  bulkFeatures,
  CARD_POSITIONS,
  getColumnShares,
  hasMoreLines,
  ReasonsContext,
  RowChangeContext,
} from './bulk-columns'
import * as m from '@/lib/messages/m'

export type Group = { value: string; label: string; count: number }

/** Counts by value, each a filter; the first shows all. */
export function FilterChips({
  groups,
  chosen,
  onChoose,
}: {
  groups: readonly Group[]
  chosen: string | null
  onChoose: (value: string | null) => void
}) {
  const formatCount = useFormatCount()
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const all = [
    { value: null, label: m.bulkCancellation_all(), count: total },
    ...groups.filter(({ count }) => count > 0),
  ]
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{m.bulkCancellation_show()}</legend>
      {all.map(({ value, label, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className={mergeClasses(
            'inline-flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-[0.8125rem] font-medium max-md:h-11',
            chosen === value
              ? 'border-accent bg-accent-soft text-accent-ink'
              : 'bg-surface text-ink-soft hover:text-ink',
          )}
        >
          {label}
          <span className="tabular-nums" data-count={value ?? 'all'}>
            {formatCount(count)}
          </span>
        </button>
      ))}
    </fieldset>
  )
}

type BulkTableProps = {
  /** Stable between renders. */
  columns: BulkColumns
  rows: readonly BulkResultRow[]
  /** Whether the bulk has ended. */
  isOver?: boolean
  /** Filters rows by a column's value. */
  filter: { id: 'outcome' | 'verdict'; value: string } | null
  /** Selected and selectable rows; null without a selection. */
  selection: {
    state: RowSelectionState
    change: (update: Updater<RowSelectionState>) => void
    may: (row: BulkResultRow) => boolean
  } | null
}

/** A row has two lines, or four if any row shown explains its outcome or was given a long reason. */
const lineHeights = { two: 44, four: 76 }
/** A card has three lines, or four if any row shown has a fourth, which may be an input. */
const cardHeights = { three: 100, four: 140 }
const cardClasses = 'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] content-start items-center gap-x-3 gap-y-1'
const noSelection: RowSelectionState = {}
/** In pixels, for the server's HTML. */
const initialRect = { width: 1280, height: 800 }
const NARROW_QUERY = '(max-width: 47.99rem)'

/** The key of the reader's place in the rows (list-place.ts). */
export const RowsPlace = createContext('')

/** All rows of a bulk: data is in memory, rendering is virtual. */
export function BulkTable({ columns, rows, isOver = false, filter, selection }: BulkTableProps) {
  const isCards = useMediaQuery(NARROW_QUERY)
  const scroller = useRef<HTMLDivElement>(null)
  const place = use(RowsPlace)
  const [focusKey, setFocusKey] = useState(() => getListPlace(place).focusKey)
  const table = useTable({
    features: bulkFeatures,
    columns,
    data: rows,
    getRowId: ({ position }) => String(position),
    state: {
      columnFilters: filter ? [{ id: filter.id, value: filter.value }] : [],
      rowSelection: selection?.state ?? noSelection,
    },
    enableRowSelection: ({ original }) => selection?.may(original) ?? false,
    ...(selection && { onRowSelectionChange: selection.change }),
  })
  const shown = table.getRowModel().rows
  const isTall = shown.some(({ original }) => hasMoreLines(columns, original, isCards))
  const cardHeight = isTall ? cardHeights.four : cardHeights.three
  const lineHeight = isTall ? lineHeights.four : lineHeights.two
  const rowHeight = isCards ? cardHeight : lineHeight
  // What changes a list must not be pressed out of sight.
  const isDraft = use(ReasonsContext) !== 'as-given' || use(RowChangeContext) !== null
  const focused = focusKey === null || isDraft ? -1 : shown.findIndex(({ id }) => id === focusKey)
  // oxlint-disable-next-line react/incompatible-library -- nothing that is memoised is given it
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect,
    initialOffset: () => getListPlace(place).top,
    // The focused row stays mounted wherever it is: the browser drops the focus with a row that unmounts.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
      return [...indexes, focused].toSorted((left, right) => left - right)
    },
  })
  useEffect(() => {
    // On the way back to the rows nothing has the focus, or the page's content.
    if (document.activeElement?.matches('body, #content') !== true) return
    scroller.current
      ?.querySelector<HTMLElement>(`[data-position="${getListPlace(place).focusKey}"] :is(a, button, input)`)
      ?.focus({ preventScroll: true })
  }, [place])
  const heightBefore = useRef(rowHeight)
  useLayoutEffect(() => {
    if (heightBefore.current === rowHeight) return
    // Keep the same rows visible when the row height changes.
    const top = ((scroller.current?.scrollTop ?? 0) / heightBefore.current) * rowHeight
    heightBefore.current = rowHeight
    virtualizer.measure()
    virtualizer.scrollToOffset(top)
  }, [virtualizer, rowHeight])
  const shares = getColumnShares(columns, rows, isOver)
  const tracks = [
    ...(selection ? ['2rem'] : []),
    ...columns.map(({ id = '', size = 10 }) => {
      const share = shares[id]
      return share === undefined ? `${size}rem` : `minmax(${size}rem, ${share}fr)`
    }),
  ].join(' ')
  // Below this width the table scrolls horizontally; long text is truncated.
  const least = isCards ? 0 : columns.reduce((sum, { size = 10 }) => sum + size, selection ? 5.25 : 3.25)
  const style = isCards ? undefined : { gridTemplateColumns: tracks }
  function keepFocus({ target }: FocusEvent): void {
    const key = target.closest<HTMLElement>('[data-position]')?.dataset.position
    if (key === undefined) return
    saveListPlace(place, { focusKey: key })
    setFocusKey(key)
  }
  const cell = isCards ? 'min-w-0 truncate' : 'truncate px-1.5'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus of what stands in it
    <div
      ref={scroller}
      role="table"
      aria-label={m.bulkCancellation_rows()}
      aria-rowcount={shown.length + 1}
      data-scroller=""
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with keys
      tabIndex={0}
      onFocus={keepFocus}
      onScroll={({ currentTarget }) => saveListPlace(place, { top: currentTarget.scrollTop })}
      className="relative min-h-80 flex-1 overflow-auto border-t border-line bg-surface [contain:strict]"
    >
      <div
        role="rowgroup"
        className={isCards ? 'sr-only' : 'sticky top-0 z-2 border-b border-line bg-sunken'}
        style={{ minWidth: `${least}rem` }}
      >
        {table.getHeaderGroups().map((group) => (
          <div
            key={group.id}
            role="row"
            aria-rowindex={1}
            style={style}
            className="grid h-9 items-center px-2 text-[0.8125rem] font-medium text-ink-soft md:px-6.5"
          >
            {selection ? (
              <span role="columnheader">
                <span className="sr-only">{m.bulkCancellation_selected()}</span>
              </span>
            ) : null}
            {group.headers.map((header) => (
              <span
                key={header.id}
                role="columnheader"
                className={header.id === 'amount' ? `${cell} text-right` : cell}
              >
                <table.FlexRender header={header} />
              </span>
            ))}
          </div>
        ))}
      </div>
      <div role="rowgroup" className="relative" style={{ minWidth: `${least}rem`, height: shown.length * rowHeight }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = shown[index]
          return row ? (
            <div
              key={row.id}
              role="row"
              aria-rowindex={index + 2}
              data-position={row.id}
              className={
                isCards
                  ? 'absolute inset-x-0 flex gap-3 border-b border-line px-4 py-2.5'
                  : 'absolute inset-x-0 grid items-center border-b border-line px-2 md:px-6.5'
              }
              style={{
                ...style,
                height: rowHeight,
                transform: `translateY(${start}px)`,
              }}
            >
              {selection ? (
                <span role="cell" className={isCards ? 'pt-1' : 'px-1.5'}>
                  {row.getCanSelect() ? (
                    <Checkbox
                      className="max-md:size-5"
                      aria-label={m.bulkCancellation_selectRow({ position: row.original.position + 1 })}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  ) : null}
                </span>
              ) : null}
              <div role="presentation" className={isCards ? cardClasses : 'contents'}>
                {row.getAllCells().map((one) => (
                  <span
                    key={one.id}
                    role="cell"
                    className={mergeClasses(
                      cell,
                      one.column.id === 'amount' && 'text-right tabular-nums',
                      isCards && CARD_POSITIONS[one.column.id],
                    )}
                  >
                    <table.FlexRender cell={one} />
                  </span>
                ))}
              </div>
            </div>
          ) : null
        })}
      </div>
    </div>
  )
}
