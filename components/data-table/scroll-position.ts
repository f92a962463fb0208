import type { RowSelectionState } from '@tanstack/react-table'

/** The reader's place in a list, kept for when they come back. */
export type ScrollPosition = {
  /** Pixels. */
  top: number
  /** The key of the row that has the grid's tab stop. */
  focusKey: string | null
  ticks: RowSelectionState
}

const start: ScrollPosition = { top: 0, focusKey: null, ticks: {} }
const most = 50

/** By view and page load, in memory: a reload starts at the top. Filled in the browser only. */
const places = new Map<string, ScrollPosition>()

/** The saved position; the top if there is none. */
export function getScrollPosition(view: string): ScrollPosition {
  return places.get(view) ?? start
}

export function saveScrollPosition(view: string, part: Partial<ScrollPosition>): void {
  const place = { ...getScrollPosition(view), ...part }
  places.delete(view)
  places.set(view, place)
  const [oldest] = places.keys()
  if (places.size > most && oldest !== undefined) places.delete(oldest)
}

export function clearScrollPosition(view: string): void {
  places.delete(view)
}
