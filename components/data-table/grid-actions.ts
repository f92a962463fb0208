import { showToast } from '../feedback/toast-store'
import { describeColumns, type ShownColumn, writeLayout } from './column-layout'
import * as words from '@/lib/words/lists'

/** Copies an id or a handle, and says so. */
export async function copyValue(value: string): Promise<void> {
  try {
    // Browsers hide the clipboard from pages on plain http.
    await navigator.clipboard.writeText(value)
    showToast(words.copied, value, { isBrief: true })
  } catch {
    showToast(words.notCopied, words.browserDidNotAllowIt, { isBrief: true })
  }
}

/** Whether a press of the mouse ended in marking text of `element`: it wants the text, and nothing else. */
export function isSelectingText({ detail }: { detail: number }, element: Element): boolean {
  const selection = getSelection()
  return detail > 0 && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

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
