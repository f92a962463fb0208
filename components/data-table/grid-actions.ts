import { copyText } from '../feedback/copy-text'
import { showToast } from '../feedback/toast-store'
import { formatLayout, getTrackStyles, MIN_WIDTH_PX, type ShownColumn } from './column-layout'
import * as m from '@/lib/messages/m'

/** Copies an id or handle and confirms it with a toast. */
export async function copyValue(value: string): Promise<void> {
  if (await copyText(value)) showToast(m.lists_copied(), value, { isBrief: true })
}

/** Focuses the list's row with the tab stop, or the list: for what takes itself away. */
export function focusList(): void {
  document
    .querySelector<HTMLElement>('[data-scroller] [role="row"][tabindex="0"], [data-scroller][tabindex="0"]')
    ?.focus({ preventScroll: true })
}

/** The row of an id; null where none is rendered. */
export function findRow(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)
}

/** Whether a mouse press selected text within `element`; then it must not also open the row. */
export function isSelectingText({ detail }: { detail: number }, element: Element): boolean {
  const selection = getSelection()
  return detail > 0 && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/**
 * Resizes the column at `cell` until the pointer is released, then reports the new layout. TanStack Table sizes
 * columns in pixels only; here columns without a chosen width share the remaining space. Widths are in rem, so that
 * they hold at the default font size.
 */
export function resizeColumn(
  cell: HTMLElement,
  startX: number,
  columns: readonly ShownColumn[],
  onLayoutChange: (layout: string) => void,
): void {
  const scroller = cell.closest<HTMLElement>('[data-scroller]')
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const startWidth = cell.getBoundingClientRect().width
  const listeners = new AbortController()
  const { signal } = listeners
  let width = startWidth

  const resized = () =>
    columns.map((column) => (column.id === cell.dataset.column ? { ...column, width: `${width / rem}rem` } : column))
  function show(shown: readonly ShownColumn[]): void {
    const tracks = getTrackStyles(shown, scroller?.ariaMultiSelectable === 'true')
    for (const [name, value] of Object.entries(tracks)) scroller?.style.setProperty(name, value)
  }
  function onPointerMove({ clientX, buttons }: PointerEvent): void {
    if (buttons === 0) return end(true)
    width = Math.max(MIN_WIDTH_PX, startWidth + clientX - startX)
    show(resized())
  }
  function end(isKept: boolean): void {
    listeners.abort()
    if (isKept && Math.abs(width - startWidth) > 1) onLayoutChange(formatLayout(resized()))
    else show(columns)
  }
  addEventListener('pointermove', onPointerMove, { signal })
  addEventListener('pointerup', () => end(true), { signal })
  addEventListener('pointercancel', () => end(false), { signal })
}
