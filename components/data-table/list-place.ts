import type { RowSelectionState } from '@tanstack/react-table'

/** The reader's place in a list, kept for when they come back. */
export type ListPlace = {
  /** Pixels. */
  top: number
  /** The key of the row that has the grid's tab stop. */
  focusKey: string | null
  selection: RowSelectionState
}

const TOP: ListPlace = { top: 0, focusKey: null, selection: {} }
const MAX_PLACES = 50

/** By view and page load, in memory: a reload starts at the top. Filled in the browser only. */
const places = new Map<string, ListPlace>()

/** The saved place; the top if there is none. */
export function getListPlace(view: string): ListPlace {
  return places.get(view) ?? TOP
}

export function saveListPlace(view: string, part: Partial<ListPlace>): void {
  const place = { ...getListPlace(view), ...part }
  places.delete(view)
  places.set(view, place)
  const [oldest] = places.keys()
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest)
}

export function clearListPlace(view: string): void {
  places.delete(view)
}
