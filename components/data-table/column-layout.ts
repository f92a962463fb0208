import type { Message } from '@/lib/language/runtime'
import type { ColumnOrderState, ColumnVisibilityState } from '@tanstack/react-table'
import type { ColumnMeta } from './list-definition'

/** Container widths from which further columns are shown; data-table.css has the values. */
const BREAKPOINTS = [undefined, 'wide', 'wider', 'widest'] as const

/** A column as it is shown to this reader. */
export type ShownColumn = {
  id: string
  label: string
  /** A CSS grid track. */
  width: string
  /** The declared one. */
  usualWidth: string
  /** The breakpoint from which it is shown. `card`: only on a phone's card, because the reader hides the column. */
  from: (typeof BREAKPOINTS)[number] | 'card'
  cardSlot: string
  align: 'end' | undefined
  /** Phones also show the header of a sortable column. */
  isSortable: boolean
}

export const MIN_WIDTH_PX = 48
const MAX_WIDTH_PX = 960

/** What is declared of a column, whatever its rows. */
export type DeclaredColumn = {
  id?: string | undefined
  accessorKey?: unknown
  header?: unknown
  meta?: ColumnMeta | undefined
  enableSorting?: boolean | undefined
}

/** The id that TanStack Table derives for a column. */
export function columnId({ id, accessorKey }: DeclaredColumn): string {
  return id ?? String(accessorKey)
}

function toShownColumn(column: DeclaredColumn, pixels?: number, from?: ShownColumn['from']): ShownColumn {
  const { header, meta, enableSorting = false } = column
  const usualWidth = meta?.width ?? 'auto'
  return {
    id: columnId(column),
    label: typeof header === 'function' ? (header as Message)() : String(header),
    width: pixels ? `${pixels / 16}rem` : usualWidth,
    usualWidth,
    from,
    cardSlot: meta?.cardSlot ?? 'none',
    align: meta?.align,
    isSortable: enableSorting,
  }
}

/** All columns of a list with their declared settings. */
export function describeColumns(columns: readonly DeclaredColumn[]): ShownColumn[] {
  return columns.map((column) => toShownColumn(column))
}

/** The id of a column in a part of a layout, such as `reference-160`. */
export const idOfPart = (part: string): string => part.replace(/_?(?:-.*)?$/u, '')

type LayoutPart = { pixels: number | undefined; isOptional: boolean }

/**
 * Parses `reference-160.payer.created_`: ids in order, each with an optional width in pixels; `_` marks those that are
 * shown only where there is room.
 */
function parseLayout(layout: string | null): Map<string, LayoutPart> {
  return new Map(
    (layout ?? '').split('.').map((part) => {
      const [name = '', width] = part.split('-')
      const pixels = Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Number(width)))
      return [idOfPart(part), { pixels: Number.isNaN(pixels) ? undefined : pixels, isOptional: name.endsWith('_') }]
    }),
  )
}

/**
 * Applies a layout as the URL writes it; null means the declared columns. Columns that it omits stay on a phone's
 * card.
 */
export function arrangeColumns(columns: readonly DeclaredColumn[], layout: string | null): ShownColumn[] {
  const parts = parseLayout(layout)
  const chosen = [...parts].flatMap(([id, { pixels, isOptional }]) => {
    const column = columns.find((one) => columnId(one) === id)
    const from = column?.meta?.from
    return column ? toShownColumn(column, pixels, isOptional && from !== 'chosen' ? from : undefined) : []
  })
  if (chosen.length === 0) {
    return columns.flatMap((column) => {
      const from = column.meta?.from
      return from === 'chosen' ? [] : toShownColumn(column, undefined, from)
    })
  }
  const others = columns.filter((column) => column.meta?.cardSlot && !parts.has(columnId(column)))
  return [...chosen, ...others.map((column) => toShownColumn(column, undefined, 'card'))]
}

/** Formats columns for the URL; a width only where it is not the usual one. Those of a card alone are left out. */
export function formatLayout(columns: readonly ShownColumn[]): string {
  return columns
    .filter(({ from }) => from !== 'card')
    .map(({ id, width, usualWidth, from }) => {
      const name = from ? `${id}_` : id
      return width === usualWidth ? name : `${name}-${Math.round(Number.parseFloat(width) * 16)}`
    })
    .join('.')
}

/**
 * The columns rendered at a breakpoint (`GridSize`). Before it is measured that is all of them; the style sheet hides
 * some. The same array where all are rendered: another one would render all rows again.
 */
export function getVisibleColumns(columns: readonly ShownColumn[], breakpoint: number | null): readonly ShownColumn[] {
  if (breakpoint === null) return columns
  if (breakpoint < 0) return columns.filter(({ cardSlot, isSortable }) => cardSlot !== 'none' || isSortable)
  const visible = columns.filter(({ from }) => from !== 'card' && BREAKPOINTS.indexOf(from) <= breakpoint)
  return visible.length === columns.length ? columns : visible
}

/** Which columns are rendered and in which order, as Table's state. */
export function columnState(
  declared: readonly DeclaredColumn[],
  shown: readonly ShownColumn[],
): { columnOrder: ColumnOrderState; columnVisibility: ColumnVisibilityState } {
  const columnOrder = shown.map(({ id }) => id)
  const ids = declared.map(columnId)
  return { columnOrder, columnVisibility: Object.fromEntries(ids.map((id) => [id, columnOrder.includes(id)])) }
}

/** The classes of a column's cells; the first column is pinned. */
export function getCellClasses({ from, cardSlot, align }: ShownColumn, place: number): string {
  const side = `${align ? ' dt-end' : ''}${place === 0 ? ' dt-pinned' : ''}`
  return `dt-cell dt-slot-${cardSlot}${from ? ` dt-from-${from}` : ''}${side}`
}

/** The minimum total width of the columns: below it the grid scrolls horizontally. */
function sumWidths(widths: readonly string[]): string {
  const minWidths = widths.map((width) => Number.parseFloat(/([\d.]+)rem/u.exec(width)?.[1] ?? '0'))
  return `${minWidths.reduce((sum, width) => sum + width, 0)}rem`
}

/** Tracks, minimum width and mark of test payments for each breakpoint, as custom properties (data-table.css). */
export function getTrackStyles(columns: readonly ShownColumn[], isSelectable: boolean): Record<`--${string}`, string> {
  const pairs = BREAKPOINTS.flatMap((_, breakpoint) => {
    const visible = getVisibleColumns(columns, breakpoint)
    const widths = [...(isSelectable ? ['2.25rem'] : []), ...visible.map(({ width }) => width)]
    return [
      [`--dt-columns-${breakpoint}`, widths.join(' ')],
      [`--dt-width-${breakpoint}`, `calc(${sumWidths(widths)} + 2 * var(--dt-padding) - 1rem)`],
      [`--dt-test-${breakpoint}`, visible.some(({ id }) => id === 'mode') ? 'none' : 'inline-flex'],
    ]
  })
  return Object.fromEntries(pairs)
}

/**
 * The height of this many rows. Only the style sheet knows the height of one, so server and browser write the same.
 * (As a custom property on the row it would cost a fifth of a scroll: cells would inherit it, and no two rows would
 * share a style.)
 */
export function getRowsHeight(count: number): string {
  return `calc(${count} * var(--dt-row))`
}
