import { describeColumns, type ShownColumn, writeLayout } from './column-layout'

const narrowest = 48

/**
 * Table's own way to size columns knows pixels alone; here a column without a chosen width takes its part of the room.
 * Follows the pointer until it is let go, with the edge of a header's cell under it; then tells the columns as they
 * are now. Widths are those at the usual size of letters.
 */
export function resizeColumn(
  cell: HTMLElement,
  from: number,
  /** Those that are drawn. */
  columns: readonly ShownColumn[],
  declared: readonly object[],
  onLayout: (layout: string) => void,
): void {
  const scroller = cell.closest<HTMLElement>('[data-scroller]')
  const selects = scroller?.hasAttribute('data-selects')
  const at = columns.findIndex(({ id }) => id === cell.dataset.column)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const start = cell.getBoundingClientRect().width
  const end = new AbortController()
  if (!scroller || at < 0) return
  let width = start

  const widths = () =>
    columns.map((column, index) => (index === at ? { ...column, width: `${width / rem}rem` } : column))
  function follow({ clientX, buttons }: PointerEvent): void {
    if (buttons === 0) return settle()
    width = Math.max(narrowest, start + clientX - from)
    const tracks = [...(selects ? ['2.25rem'] : []), ...widths().map((column) => column.width)].join(' ')
    for (const stage of [0, 1, 2, 3]) scroller?.style.setProperty(`--dt-columns-${stage}`, tracks)
  }
  function settle(): void {
    end.abort()
    if (Math.abs(width - start) > 1) onLayout(writeLayout(widths(), describeColumns(declared)))
  }
  const { signal } = end
  addEventListener('pointermove', follow, { signal })
  addEventListener('pointerup', settle, { signal })
  addEventListener('pointercancel', () => end.abort(), { signal })
}
