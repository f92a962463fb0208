import type { ReactElement, ReactNode } from 'react'
import * as words from '@/lib/words/lists'
import type { CellFacts } from './cell-facts'
import { nothing } from './cells'
import type { Column } from './define-table'

/** Everything that decides what a row looks like. */
export type RowFace<Row> = {
  /** The list's key of the row. */
  key: string
  row: Row
  index: number
  /** A CSS length. */
  top: string
  label: string
  status: string | null | undefined
  columns: readonly Column<Row>[]
  facts: CellFacts
  /** Null where rows cannot be selected. */
  isSelected: boolean | null
  /** Whether it stands open beside the list. */
  isOpen: boolean
  isTabStop: boolean
}

/** The first column stays in sight. No rule asks which child of a row a cell is: each new row would have all others restyled. */
function nameClasses({ card, from }: Pick<Column<never>, 'card' | 'from'>, place: number): string {
  return `dt-cell dt-${card}${from ? ` dt-${from}` : ''}${place === 0 ? ' dt-pinned' : ''}`
}

/** An element for each cell and hardly one within: some eighty rows a second are drawn in a brisk scroll. */
function drawCell<Row>(column: Column<Row>, place: number, row: Row, facts: CellFacts): ReactNode {
  const time = column.time?.(row, facts)
  const shared = {
    role: 'gridcell',
    className: nameClasses(column, place),
    'data-end': column.align ? '' : undefined,
  }
  if (time)
    return (
      <time key={column.id} {...shared} dateTime={time.dateTime} title={time.title} tabIndex={-1}>
        {time.text}
      </time>
    )
  return (
    <div key={column.id} {...shared}>
      {column.cell ? column.cell(row, facts) : nothing}
    </div>
  )
}

/** React, which tests hold rows against, asks for a handler beside `checked`; the rows' container has it. */
const handledAbove = () => undefined

/**
 * One row, of nothing but elements and text: it is written into the server's HTML (its cells by `writeHtml`), and in the
 * browser RowPainter draws it, without components.
 */
export function drawRow<Row extends { id: string | null }>(face: RowFace<Row>): ReactElement<Record<string, unknown>> {
  const { key, row, index, top, label, status, columns, facts, isSelected, isOpen, isTabStop } = face
  return (
    <div
      key={key}
      role="row"
      className="dt-row"
      style={{ top }}
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isSelected ?? undefined}
      aria-current={isOpen ? 'true' : undefined}
      data-row-id={row.id ?? ''}
      data-status={status ?? undefined}
    >
      {isSelected === null ? null : (
        <div role="gridcell" className="dt-cell dt-select">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={words.select(label)}
            checked={isSelected}
            onChange={handledAbove}
          />
        </div>
      )}
      {columns.map((column, place) => drawCell(column, place, row, facts))}
    </div>
  )
}
