import type { RowSelectionState } from '@tanstack/react-table'

/** Where the reader is in a list. */
export type ListPlace = {
  /** Pixels. */
  top: number
  /** The key of the row that has the grid's tab stop. */
  focusKey: string | null
  ticks: RowSelectionState
}

const start: ListPlace = { top: 0, focusKey: null, ticks: {} }
const most = 50

/** By view and visit, as long as the page lives: a reload starts at the top. Only ever filled in the browser. */
const places = new Map<string, ListPlace>()

/** The place in the list of that view and visit: its top where nobody was in it. */
export function placeIn(view: string): ListPlace {
  return places.get(view) ?? start
}

/** Keeps where the reader is now, for who comes back. */
export function keepPlace(view: string, part: Partial<ListPlace>): void {
  const place = { ...placeIn(view), ...part }
  places.delete(view)
  places.set(view, place)
  const [oldest] = places.keys()
  if (places.size > most && oldest !== undefined) places.delete(oldest)
}

/** Who chooses a view anew begins at its top. */
export function forgetPlace(view: string): void {
  places.delete(view)
}
