let marked: Range | null = null
// What was marked before this script ran is of rows of the server, which are never drawn over by others.
let isKnown = true

if (typeof document !== 'undefined') document.addEventListener('selectionchange', () => (isKnown = false))

/**
 * The text that the reader has marked; null where there is none. To be asked for before anything is drawn: the browser
 * lays the page out to answer, so that it is asked only once the mark has changed.
 */
export function findMarked(): Range | null {
  if (isKnown) return marked
  isKnown = true
  const selection = getSelection()
  marked = selection && !selection.isCollapsed ? selection.getRangeAt(0) : null
  return marked
}

/** Whether a press of the mouse ended in marking text of `element`: it wants the text, and nothing else. */
export function isMarking({ detail }: { detail: number }, element: Element): boolean {
  const selection = getSelection()
  return detail > 0 && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}
