'use client'

import type { Row, Table } from '@tanstack/react-table'
import { flexRender } from '@tanstack/react-table'
import { memo, type ReactNode, useId } from 'react'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { getRowsHeight, type ShownColumn } from './column-layout'
import type { ListDefinition, listFeatures } from './list-definition'
import * as m from '@/lib/messages/m'

export type GridTable<Data extends object> = Table<typeof listFeatures, Data>

type TableRowProps<List extends ListId> = {
  definition: Pick<ListDefinition<List>, 'rowLabel' | 'status'>
  /** A new object for each window of rows; `original` identifies its data. */
  row: Row<typeof listFeatures, ListRow<List>>
  index: number
  columns: readonly ShownColumn[]
  /** Null where rows cannot be selected. */
  isSelected: boolean | null
  /** Whether it is open in the side panel. */
  isOpen: boolean
  isTabStop: boolean
}

/** The classes of a column's cells; the first column is pinned. */
export function getCellClasses({ from, cardSlot }: ShownColumn, place: number, isHead = false): string {
  return `dt-cell${isHead ? '' : ` dt-slot-${cardSlot}`}${from ? ` dt-from-${from}` : ''}${place === 0 ? ' dt-pinned' : ''}`
}

const noop = () => undefined

/** A row's name is what its first cells say: all of them would repeat its reference with each of its controls. */
const CELLS_IN_NAME = 5

type CellsProps<List extends ListId> = Pick<TableRowProps<List>, 'row' | 'columns'> & {
  /** Begins the ids of the cells. */
  rowId: string
  firstColumn: number
}

function CellsBase<List extends ListId>({ row, columns, rowId, firstColumn }: CellsProps<List>): ReactNode {
  return row.getVisibleCells().map((cell, place) => {
    const column = columns[place]
    return column ? (
      <div
        key={cell.id}
        id={place < CELLS_IN_NAME ? `${rowId}-${place}` : undefined}
        role="gridcell"
        aria-colindex={place + firstColumn}
        className={getCellClasses(column, place)}
        data-end={column.align ? '' : undefined}
      >
        {flexRender(cell.column.columnDef.cell, cell.getContext())}
      </div>
    ) : null
  })
}

function areCellsEqual<List extends ListId>(before: CellsProps<List>, after: CellsProps<List>): boolean {
  return before.row.original === after.row.original && before.columns === after.columns
}

/** The row's content, which selection, focus and the side panel don't change. */
const Cells = memo(CellsBase, areCellsEqual) as typeof CellsBase

function RowBase<List extends ListId>(props: TableRowProps<List>) {
  const { definition, row, index, columns, isSelected, isOpen, isTabStop } = props
  const { original } = row
  const rowId = useId()
  const named = columns.slice(0, CELLS_IN_NAME).map((_, place) => `${rowId}-${place}`)
  return (
    <div
      role="row"
      className="dt-row"
      style={{ top: getRowsHeight(index) }}
      tabIndex={isTabStop ? 0 : -1}
      aria-labelledby={named.join(' ')}
      aria-rowindex={index + 2}
      aria-selected={isSelected ?? undefined}
      aria-current={isOpen ? 'true' : undefined}
      data-row-id={original.id ?? ''}
      data-status={definition.status?.(original) ?? undefined}
    >
      {isSelected === null ? null : (
        <div role="gridcell" aria-colindex={1} className="dt-cell dt-select">
          <input
            // React keeps the state it hydrates: a box checked before hydration, or restored by Back, must not select
            // the row.
            ref={(box) => {
              if (box) box.checked = isSelected
            }}
            type="checkbox"
            tabIndex={-1}
            aria-label={m.lists_select({ label: definition.rowLabel(original) })}
            checked={isSelected}
            onChange={noop}
          />
        </div>
      )}
      <Cells row={row} columns={columns} rowId={rowId} firstColumn={isSelected === null ? 1 : 2} />
    </div>
  )
}

function arePropsEqual<List extends ListId>(before: TableRowProps<List>, after: TableRowProps<List>): boolean {
  return (
    before.row.original === after.row.original &&
    before.index === after.index &&
    before.columns === after.columns &&
    before.isSelected === after.isSelected &&
    before.isOpen === after.isOpen &&
    before.isTabStop === after.isTabStop
  )
}

/** One row; the grid handles its clicks and keys. (The assertion restores the generic props, which `memo` loses.) */
export const TableRow = memo(RowBase, arePropsEqual) as typeof RowBase
