'use client'

import { FlexRender } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import * as words from '@/lib/words/lists'
import type { ShownColumn } from './column-layout'
import { cellClasses, type ListTable } from './table-row'

type TableHeadProps<Data extends object> = {
  table: ListTable<Data>
  columns: readonly ShownColumn[]
  /** What ticks all rows; null where rows cannot be selected. */
  select: ReactNode
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const

/** The header row: names of the columns, and buttons for those that sort. */
export function TableHead<Data extends object>({ table, columns, select }: TableHeadProps<Data>) {
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <div role="rowgroup" className="dt-head" data-head>
      <div role="row" className="dt-head-row" data-sort-by={words.sortBy} aria-rowindex={1}>
        {select ? (
          <div role="columnheader" aria-colindex={1} className="dt-cell dt-select">
            {select}
          </div>
        ) : null}
        {headers.map((header, place) => {
          const shown = columns[place]
          const { column } = header
          const sorted = column.getIsSorted()
          const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
          return shown ? (
            <div
              key={header.id}
              role="columnheader"
              aria-colindex={place + (select ? 2 : 1)}
              data-column={column.id}
              className={cellClasses(shown, place, true)}
              data-end={shown.align ? '' : undefined}
              data-sorts={column.getCanSort() ? '' : undefined}
              aria-sort={sorted ? sortWords[sorted] : undefined}
            >
              {column.getCanSort() ? (
                <button type="button" tabIndex={-1} onClick={column.getToggleSortingHandler()}>
                  <FlexRender header={header} />
                  <Arrow aria-hidden className={sorted ? 'dt-arrow dt-arrow-on' : 'dt-arrow'} />
                </button>
              ) : (
                <FlexRender header={header} />
              )}
            </div>
          ) : null
        })}
      </div>
    </div>
  )
}
