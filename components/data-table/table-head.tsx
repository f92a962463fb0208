'use client'

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Order } from '@/lib/contract/filter'
import type { ReactNode } from 'react'
import * as words from '@/lib/words/lists'
import type { Column } from './define-table'

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  /** What ticks all rows; null where rows cannot be selected. */
  select: ReactNode
  order: Order | null
  onOrder: (order: Order | null) => void
}

/** A header goes round: ascending, descending, as the service lists them. */
function nextOrder(field: string, order: Order | null): Order | null {
  if (order?.field !== field) return { field, direction: 'asc' }
  return order.direction === 'asc' ? { field, direction: 'desc' } : null
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const

/** The header row: names of the columns, and buttons for those that sort. */
export function TableHead<Row>({ columns, select, order, onOrder }: TableHeadProps<Row>) {
  return (
    <div role="rowgroup" className="dt-head" data-head>
      <div role="row" className="dt-head-row" data-sort-by={words.sortBy} aria-rowindex={1}>
        {select ? (
          <div role="columnheader" className="dt-cell dt-select">
            {select}
          </div>
        ) : null}
        {columns.map(({ id, header, sort, align, from }, place) => {
          const sorted = sort !== undefined && order?.field === sort ? order.direction : null
          const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
          return (
            <div
              key={id}
              role="columnheader"
              data-column={id}
              className={`dt-cell${from ? ` dt-${from}` : ''}${place === 0 ? ' dt-pinned' : ''}`}
              data-end={align ? '' : undefined}
              data-sorts={sort ? '' : undefined}
              aria-sort={sorted ? sortWords[sorted] : undefined}
            >
              {sort ? (
                <button type="button" tabIndex={-1} onClick={() => onOrder(nextOrder(sort, order))}>
                  {header}
                  <Arrow className={sorted ? 'dt-arrow dt-arrow-on' : 'dt-arrow'} />
                </button>
              ) : (
                header
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
