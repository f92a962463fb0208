import type { ColumnOrderState, ColumnSizingState, ColumnVisibilityState } from '@tanstack/react-table'
import type { ListColumn } from './list-definition'

/** Container widths from which further columns are shown; data-table.css has the values. */
const stages = [undefined, 'wide', 'wider', 'widest'] as const

/** A column as it is shown to this reader. */
export type ShownColumn = {
  id: string
  label: string
  /** A CSS grid track. */
  width: string
  /** The breakpoint from which it is shown. `card`: only on a phone's card, because the reader hides the column. */
  from: (typeof stages)[number] | 'card'
  card: string
  align: 'end' | undefined
  /** Phones also show the header of a sortable column. */
  sorts: boolean
}

const narrowest = 48
const widest = 960

type AnyColumn = Pick<ListColumn<never>, 'id' | 'header' | 'meta' | 'enableSorting'> & { accessorKey?: unknown }

/** The id that TanStack Table derives for a column. */
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

/** All columns of a list with their declared settings. */
export function describeColumns(columns: readonly object[]): ShownColumn[] {
  return columns.map((column) => describe(column))
}

/** Parses `reference-160.payer`: ids in order, each with an optional width in pixels. */
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
 * Applies a layout as the URL writes it; null means the declared columns. Columns that it omits stay on a phone's
 * card.
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

/** Formats columns for the URL; a width only where it differs from the declared one. */
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

/**
 * The columns rendered at a breakpoint (`GridSize`). Before it is measured that is all of them; the style sheet hides
 * some.
 */
export function columnsInSight(columns: readonly ShownColumn[], stage: number | null): readonly ShownColumn[] {
  if (stage === null) return columns
  if (stage < 0) return columns.filter(({ card, sorts }) => card !== 'none' || sorts)
  return columns.filter(({ from }) => from !== 'card' && stages.indexOf(from) <= stage)
}

/** The columns as TanStack Table's state. */
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

/** The minimum total width of the columns: below it the grid scrolls horizontally. */
function sumWidths(widths: readonly string[]): string {
  const least = widths.map((width) => Number.parseFloat(/([\d.]+)rem/u.exec(width)?.[1] ?? '0'))
  return `${least.reduce((sum, width) => sum + width, 0)}rem`
}

/** The grid's tracks and minimum width for each breakpoint, as custom properties (data-table.css). */
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
 * The height of this many rows. Only the style sheet knows the height of one, so server and browser write the same.
 * (As a custom property on the row it would cost a fifth of a scroll: cells would inherit it, and no two rows would
 * share a style.)
 */
export function inRows(count: number): string {
  return `calc(${count} * var(--dt-row))`
}
