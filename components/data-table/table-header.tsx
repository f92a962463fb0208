'use client'

import type { Header } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import type { SortOrder } from '@/lib/api-contract/filter'
import { getCellClasses, type ShownColumn } from './column-layout'
import type { listFeatures } from './list-definition'
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

type TableHeaderProps<Data extends object> = {
  headers: readonly Header<typeof listFeatures, Data>[]
  /** The columns of the headers. */
  columns: readonly ShownColumn[]
  /** Of Table's state, of which a memoized component is not told. */
  sorting: SortOrder | null
  /** Null where rows cannot be selected. */
  selection: SelectAllProps['selection'] | null
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function HeaderBase<Data extends object>({ headers, columns, selection }: TableHeaderProps<Data>) {
  return (
    <div role="rowgroup" className="dt-header" data-head>
      <div role="row" className="dt-header-row" data-sort-by={m.lists_sortBy()} aria-rowindex={1}>
        {selection ? (
          <div role="columnheader" aria-colindex={1} className="dt-cell dt-select">
            <SelectAll selection={selection} />
          </div>
        ) : null}
        {headers.map(({ id, column }, place) => {
          const shown = columns[place]
          const sorted = column.getIsSorted()
          const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
          return shown ? (
            <div
              key={id}
              role="columnheader"
              aria-colindex={place + (selection ? 2 : 1)}
              data-column={id}
              className={getCellClasses(shown, place)}
              data-sorts={column.getCanSort() ? '' : undefined}
              aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
            >
              {column.getCanSort() ? (
                <button type="button" tabIndex={-1} onClick={column.getToggleSortingHandler()}>
                  <span className="truncate">{shown.label}</span>
                  <Arrow aria-hidden className={sorted ? 'dt-arrow dt-arrow-active' : 'dt-arrow'} />
                </button>
              ) : (
                shown.label
              )}
            </div>
          ) : null
        })}
      </div>
    </div>
  )
}

/** Column names and sort buttons; memoized against scrolling. (The assertion restores the generic props.) */
export const TableHeader = memo(HeaderBase) as typeof HeaderBase
