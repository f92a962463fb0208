import { useState } from 'react'
import type { RowList } from '../infinite-list/use-list-query'
import type { SheetMoves } from '../ui/side-sheet'
import { findList, findRow } from './grid-actions'

/**
 * Where the open row stands in its list, and stood before it left the list, as a cancelled payment leaves those that are
 * pending: its neighbours are then those of its place.
 */
export function useOpenPlace(
  list: Pick<RowList<unknown>, 'size' | 'keyAt' | 'indexOf'>,
  openRowId: string | null,
  viewKey: string,
  /** Opens the row that a function of the newest open row names; null opens none. */
  open: (choose: (openRowId: string | null) => string | null) => void,
): { moves: SheetMoves; findHeir: () => HTMLElement | null } {
  const index = openRowId === null ? -1 : list.indexOf(openRowId)
  const [place, setPlace] = useState({ of: viewKey, key: openRowId, index })
  const isSame = place.of === viewKey && place.key === openRowId
  if (!isSame || (index >= 0 && index !== place.index)) setPlace({ of: viewKey, key: openRowId, index })

  /** The index of the row before or after one; -1 where there is none. */
  function findNeighbor(key: string | null, by: -1 | 1): number {
    const at = key === null ? -1 : list.indexOf(key)
    const isGone = at < 0 && key !== null && key === place.key && place.index >= 0
    // The row after one that left has its place.
    const next = isGone ? place.index + Math.min(by, 0) : at < 0 ? -1 : at + by
    return next < list.size ? next : -1
  }

  return {
    moves: {
      isFirst: findNeighbor(openRowId, -1) < 0,
      isLast: findNeighbor(openRowId, 1) < 0,
      move: (by) =>
        open((key) => {
          const next = findNeighbor(key, by)
          return next < 0 ? null : list.keyAt(next)
        }),
    },
    findHeir: () => findRow(list.keyAt(Math.min(place.index, list.size - 1))) ?? findList(),
  }
}
