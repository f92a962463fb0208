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
const MAX_POSITIONS = 50

/** By view and page load, in memory: a reload starts at the top. Filled in the browser only. */
const positions = new Map<string, ListPlace>()

/** The saved position; the top if there is none. */
export function getListPlace(view: string): ListPlace {
  return positions.get(view) ?? TOP
}

export function saveListPlace(view: string, part: Partial<ListPlace>): void {
  const position = { ...getListPlace(view), ...part }
  positions.delete(view)
  positions.set(view, position)
  const [oldest] = positions.keys()
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest)
}

export function clearListPlace(view: string): void {
  positions.delete(view)
}
