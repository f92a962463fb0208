import { showToast } from '../feedback/toast-store'
import { describeColumns, type ShownColumn, formatLayout } from './column-layout'

import * as m from '@/lib/messages/m'
/** Copies an id or handle and confirms it with a toast. */
export async function copyValue(value: string): Promise<void> {
  try {
    // Browsers hide the clipboard from pages on plain http.
    await navigator.clipboard.writeText(value)
    showToast(m.lists_copied(), value, { isBrief: true })
  } catch {
    showToast(m.lists_notCopied(), m.lists_browserDidNotAllowIt(), { isBrief: true })
  }
}

/** Whether a mouse press selected text within `element`; then it must not also open the row. */
export function isSelectingText({ detail }: { detail: number }, element: Element): boolean {
  const selection = getSelection()
  return detail > 0 && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

const MIN_WIDTH_PX = 48

/**
 * Resizes the column at `cell` until the pointer is released, then reports the new layout. TanStack Table sizes
 * columns in pixels only; here columns without a chosen width share the remaining space. Widths are in rem, so that
 * they hold at the default font size.
 */
export function resizeColumn(
  cell: HTMLElement,
  startX: number,
  /** The visible columns. */
  columns: readonly ShownColumn[],
  declared: readonly object[],
  onLayoutChange: (layout: string) => void,
): void {
  const scroller = cell.closest<HTMLElement>('[data-scroller]')
  const isSelectable = scroller?.hasAttribute('data-selects')
  const columnIndex = columns.findIndex(({ id }) => id === cell.dataset.column)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const startWidth = cell.getBoundingClientRect().width
  const listeners = new AbortController()
  if (!scroller || columnIndex < 0) return
  let width = startWidth

  const widths = () =>
    columns.map((column, index) => (index === columnIndex ? { ...column, width: `${width / rem}rem` } : column))
  function onPointerMove({ clientX, buttons }: PointerEvent): void {
    if (buttons === 0) return finish()
    width = Math.max(MIN_WIDTH_PX, startWidth + clientX - startX)
    const tracks = [...(isSelectable ? ['2.25rem'] : []), ...widths().map((column) => column.width)].join(' ')
    for (const breakpoint of [0, 1, 2, 3]) scroller?.style.setProperty(`--dt-columns-${breakpoint}`, tracks)
  }
  function finish(): void {
    listeners.abort()
    if (Math.abs(width - startWidth) > 1) onLayoutChange(formatLayout(widths(), describeColumns(declared)))
  }
  const { signal } = listeners
  addEventListener('pointermove', onPointerMove, { signal })
  addEventListener('pointerup', finish, { signal })
  addEventListener('pointercancel', () => listeners.abort(), { signal })
}
