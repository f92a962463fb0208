'use client'

import { flexRender, type Row } from '@tanstack/react-table'
import { memo, useId } from 'react'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import { getCellClasses, getRowsHeight, type ShownColumn } from './column-layout'
import type { ListDefinition, listFeatures } from './list-definition'
import * as m from '@/lib/messages/m'

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

const noop = () => undefined

/** A row's name is what its first cells say: all of them would repeat its reference with each of its controls. */
const CELLS_IN_NAME = 5

function RowBase<List extends ListId>(props: TableRowProps<List>) {
  const { definition, row, index, columns, isSelected, isOpen, isTabStop } = props
  const { original } = row
  const rowId = useId()
  const cellId = (place: number) => `${rowId}-${place}`
  return (
    <div
      role="row"
      className="dt-row"
      style={{ top: getRowsHeight(index) }}
      tabIndex={isTabStop ? 0 : -1}
      aria-labelledby={columns
        .slice(0, CELLS_IN_NAME)
        .map((_, place) => cellId(place))
        .join(' ')}
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
      {row.getVisibleCells().map((cell, place) => {
        const column = columns[place]
        return column ? (
          <div
            key={cell.id}
            id={place < CELLS_IN_NAME ? cellId(place) : undefined}
            role="gridcell"
            aria-colindex={place + (isSelected === null ? 1 : 2)}
            className={getCellClasses(column, place)}
          >
            {flexRender(cell.column.columnDef.cell, cell.getContext())}
          </div>
        ) : null
      })}
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
