import type { ColumnOrderState, ColumnSizingState, ColumnVisibilityState } from '@tanstack/react-table'
import type { ListColumn } from './list-definition'

/** At which widths of the list columns join in; data-table.css has them. */
const stages = [undefined, 'wide', 'wider', 'widest'] as const

/** A column as the reader has it before them. */
export type ShownColumn = {
  id: string
  label: string
  /** A CSS grid track. */
  width: string
  /** From which width of the list on; `card`: only on a phone's card, because the reader wants no column of it. */
  from: (typeof stages)[number] | 'card'
  card: string
  align: 'end' | undefined
  /** Whether its header sorts, on a phone too. */
  sorts: boolean
}

const narrowest = 48
const widest = 960

type AnyColumn = Pick<ListColumn<never>, 'id' | 'header' | 'meta' | 'enableSorting'> & { accessorKey?: unknown }

/** A column's id, as Table makes it. */
export function columnId(column: object): string {
  const { id, accessorKey } = column as AnyColumn
  return id ?? String(accessorKey)
}

function describe(column: object, pixels?: number, from?: ShownColumn['from']): ShownColumn {
  const { header, meta, enableSorting = false } = column as AnyColumn
  return {
    id: columnId(column),
    label: String(header),
    width: pixels ? `${pixels / 16}rem` : (meta?.width ?? 'auto'),
    from,
    card: meta?.card ?? 'none',
    align: meta?.align,
    sorts: enableSorting,
  }
}

/** All columns of a list, as they come, for who chooses among them. */
export function describeColumns(columns: readonly object[]): ShownColumn[] {
  return columns.map((column) => describe(column))
}

/** `reference-160.payer`: ids in their order, with a width in pixels where one was chosen. */
function readLayout(layout: string | null): Map<string, number | undefined> {
  const parts = (layout ?? '').split('.').map((part) => part.split('-'))
  return new Map(
    parts.map(([id = '', width]) => {
      const pixels = Math.min(widest, Math.max(narrowest, Number(width)))
      return [id, Number.isNaN(pixels) ? undefined : pixels]
    }),
  )
}

/**
 * The columns of a list as its reader wants them: `layout` has them as an address writes them; null for those that the
 * list comes with. What it does not name still stands on a phone's card.
 */
export function arrangeColumns(columns: readonly object[], layout: string | null): ShownColumn[] {
  const parts = readLayout(layout)
  const chosen = [...parts].flatMap(([id, pixels]) => {
    const column = columns.find((one) => columnId(one) === id)
    return column ? describe(column, pixels) : []
  })
  const metaOf = (column: object) => (column as AnyColumn).meta
  if (chosen.length === 0) {
    return columns.flatMap((column) => {
      const from = metaOf(column)?.from
      return from === 'chosen' ? [] : describe(column, undefined, from)
    })
  }
  const others = columns.filter((column) => metaOf(column)?.card !== 'none' && !parts.has(columnId(column)))
  return [...chosen, ...others.map((column) => describe(column, undefined, 'card'))]
}

/** The same columns as an address writes them; a width only where it is not the one of `declared`. */
export function writeLayout(
  columns: readonly Pick<ShownColumn, 'id' | 'width'>[],
  declared: readonly Pick<ShownColumn, 'id' | 'width'>[],
): string {
  return columns
    .map(({ id, width }) => {
      const isOwn = declared.some((one) => one.id === id && one.width !== width)
      return isOwn ? `${id}-${Math.round(Number.parseFloat(width) * 16)}` : id
    })
    .join('.')
}

/** Those that are drawn at a stage (`GridSize`): before it is known all of them, of which the style sheet hides some. */
export function columnsInSight(columns: readonly ShownColumn[], stage: number | null): readonly ShownColumn[] {
  if (stage === null) return columns
  if (stage < 0) return columns.filter(({ card, sorts }) => card !== 'none' || sorts)
  return columns.filter(({ from }) => from !== 'card' && stages.indexOf(from) <= stage)
}

/** The same columns as Table's state. */
export function columnState(
  columns: readonly object[],
  shown: readonly ShownColumn[],
): { columnOrder: ColumnOrderState; columnVisibility: ColumnVisibilityState; columnSizing: ColumnSizingState } {
  const columnOrder = shown.map(({ id }) => id)
  const fixed = shown.flatMap(({ id, width }) =>
    /^[\d.]+rem$/u.test(width) ? [[id, Number.parseFloat(width) * 16]] : [],
  )
  return {
    columnOrder,
    columnVisibility: Object.fromEntries(
      columns.map((column) => [columnId(column), columnOrder.includes(columnId(column))]),
    ),
    columnSizing: Object.fromEntries(fixed),
  }
}

/** The least width that the columns need together: below it the grid scrolls sideways. */
function sumWidths(widths: readonly string[]): string {
  const least = widths.map((width) => Number.parseFloat(/([\d.]+)rem/u.exec(width)?.[1] ?? '0'))
  return `${least.reduce((sum, width) => sum + width, 0)}rem`
}

/** The grid's tracks, and their least width together, for each of the widths at which columns join in (data-table.css). */
export function writeTracks(columns: readonly ShownColumn[], selects: boolean): Record<`--${string}`, string> {
  const pairs = stages.flatMap((_, stage) => {
    const inSight = columns.filter(({ from }) => from !== 'card' && stages.indexOf(from) <= stage)
    const widths = [...(selects ? ['2.25rem'] : []), ...inSight.map(({ width }) => width)]
    return [
      [`--dt-columns-${stage}`, widths.join(' ')],
      [`--dt-width-${stage}`, `calc(${sumWidths(widths)} + 2 * var(--dt-pad) - 1rem)`],
    ]
  })
  return Object.fromEntries(pairs)
}

/**
 * So many rows as a length. How high a row is, the style sheet knows: server and browser write the same. (As a custom
 * property of the row its number would cost a fifth of a scroll: cells would inherit it, and no two rows share a style.)
 */
export function inRows(count: number): string {
  return `calc(${count} * var(--dt-row))`
}
