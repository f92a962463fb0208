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
