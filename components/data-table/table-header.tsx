'use client'

import { FlexRender } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { SortOrder } from '@/lib/api-contract/filter'
import type { ShownColumn } from './column-layout'
import { getCellClasses, type GridTable } from './table-row'
import type { Selection } from './use-selection'
import * as m from '@/lib/messages/m'

/** Selects every loaded and shown row, or clears the selection. */
export function SelectAll<Row>({ selection }: { selection: Selection<Row> }) {
  const { isAll } = selection
  return (
    <input
      ref={(box) => {
        if (!box) return
        // The user may have checked it before hydration.
        box.checked = isAll
        box.indeterminate = selection.count > 0 && !isAll
      }}
      type="checkbox"
      tabIndex={-1}
      aria-label={m.lists_selectAllLoadedRows()}
      checked={isAll}
      onChange={() => (isAll ? selection.clear() : selection.selectAll())}
    />
  )
}

type HeadersProps<Data extends object> = {
  /** A new object for each window of rows; only its headers are used. */
  table: GridTable<Data>
  columns: readonly ShownColumn[]
  sorting: SortOrder | null
  /** The aria-colindex of the first header, counted from 1. */
  firstColumn: number
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function HeadersBase<Data extends object>({ table, columns, firstColumn }: HeadersProps<Data>): ReactNode {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return headers.map((header, place) => {
    const shown = columns[place]
    const { column } = header
    const sorted = column.getIsSorted()
    const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
    return shown ? (
      <div
        key={header.id}
        role="columnheader"
        aria-colindex={place + firstColumn}
        data-column={column.id}
        className={getCellClasses(shown, place, true)}
        data-end={shown.align ? '' : undefined}
        data-sorts={column.getCanSort() ? '' : undefined}
        aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
      >
        {column.getCanSort() ? (
          <button type="button" tabIndex={-1} onClick={column.getToggleSortingHandler()}>
            <span className="truncate">
              <FlexRender header={header} />
            </span>
            <Arrow aria-hidden className={sorted ? 'dt-arrow dt-arrow-active' : 'dt-arrow'} />
          </button>
        ) : (
          <FlexRender header={header} />
        )}
      </div>
    ) : null
  })
}

function arePropsEqual<Data extends object>(before: HeadersProps<Data>, after: HeadersProps<Data>): boolean {
  return before.columns === after.columns && before.sorting === after.sorting
}

/** Column names and sort buttons; memoized against scrolling and selecting. */
const Headers = memo(HeadersBase, arePropsEqual) as typeof HeadersBase

type TableHeaderProps<Data extends object> = Omit<HeadersProps<Data>, 'firstColumn'> & {
  /** Null where rows cannot be selected. */
  selection: Selection<Data> | null
}

export function TableHeader<Data extends object>({ table, columns, sorting, selection }: TableHeaderProps<Data>) {
  return (
    <div role="rowgroup" className="dt-header" data-head>
      <div role="row" className="dt-header-row" data-sort-by={m.lists_sortBy()} aria-rowindex={1}>
        {selection ? (
          <div role="columnheader" aria-colindex={1} className="dt-cell dt-select">
            <SelectAll selection={selection} />
          </div>
        ) : null}
        <Headers table={table} columns={columns} sorting={sorting} firstColumn={selection ? 2 : 1} />
      </div>
    </div>
  )
}
