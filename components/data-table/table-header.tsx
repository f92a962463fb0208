'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import type { SortOrder } from '@/lib/api-contract/filter'
import { getCellClasses, type ShownColumn } from './column-layout'
import type { Selection } from './use-selection'
import * as m from '@/lib/messages/m'

type SelectAllProps = { selection: Pick<Selection<unknown>, 'isAll' | 'count' | 'clear' | 'selectAll'> }

/** Selects every loaded and shown row, or clears the selection. */
function SelectAll({ selection: { isAll, count, clear, selectAll } }: SelectAllProps) {
  return (
    <input
      ref={(box) => {
        if (!box) return
        // The user may have checked it before hydration.
        box.checked = isAll
        box.indeterminate = count > 0 && !isAll
      }}
      type="checkbox"
      tabIndex={-1}
      aria-label={m.lists_selectAllLoadedRows()}
      checked={isAll}
      onChange={isAll ? clear : selectAll}
    />
  )
}

type TableHeaderProps = {
  columns: readonly ShownColumn[]
  sorting: SortOrder | null
  onSortingChange: (order: SortOrder | null) => void
  /** Null where rows cannot be selected. */
  selection: SelectAllProps['selection'] | null
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** Column names and sort buttons; memoized against scrolling. */
export const TableHeader = memo(function TableHeader(props: TableHeaderProps) {
  const { columns, sorting, onSortingChange, selection } = props
  return (
    <div role="rowgroup" className="dt-header" data-head>
      <div role="row" className="dt-header-row" data-sort-by={m.lists_sortBy()} aria-rowindex={1}>
        {selection ? (
          <div role="columnheader" aria-colindex={1} className="dt-cell dt-select">
            <SelectAll selection={selection} />
          </div>
        ) : null}
        {columns.map((column, place) => {
          const { id, label, isSortable } = column
          const direction = sorting?.field === id ? sorting.direction : undefined
          const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
          // Up, down, and back to the provider's order.
          const next = direction === 'desc' ? null : ({ field: id, direction: direction ? 'desc' : 'asc' } as const)
          return (
            <div
              key={id}
              role="columnheader"
              aria-colindex={place + (selection ? 2 : 1)}
              data-column={id}
              className={getCellClasses(column, place)}
              data-sorts={isSortable ? '' : undefined}
              aria-sort={direction && ARIA_SORT[direction]}
            >
              {isSortable ? (
                <button type="button" tabIndex={-1} onClick={() => onSortingChange(next)}>
                  <span className="truncate">{label}</span>
                  <Arrow aria-hidden className={direction ? 'dt-arrow dt-arrow-active' : 'dt-arrow'} />
                </button>
              ) : (
                label
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
})
