import type { RowSelectionState } from '@tanstack/react-table'

/** Where the reader is in a list. */
export type ScrollPosition = {
  /** Pixels. */
  top: number
  /** The key of the row that has the grid's tab stop. */
  focusKey: string | null
  ticks: RowSelectionState
}

const start: ScrollPosition = { top: 0, focusKey: null, ticks: {} }
const most = 50

/** By view and visit, as long as the page lives: a reload starts at the top. Only ever filled in the browser. */
const places = new Map<string, ScrollPosition>()

/** The place in the list of that view and visit: its top where nobody was in it. */
export function getScrollPosition(view: string): ScrollPosition {
  return places.get(view) ?? start
}

/** Keeps where the reader is now, for who comes back. */
export function saveScrollPosition(view: string, part: Partial<ScrollPosition>): void {
  const place = { ...getScrollPosition(view), ...part }
  places.delete(view)
  places.set(view, place)
  const [oldest] = places.keys()
  if (places.size > most && oldest !== undefined) places.delete(oldest)
}

/** Who chooses a view anew begins at its top. */
export function clearScrollPosition(view: string): void {
  places.delete(view)
}
