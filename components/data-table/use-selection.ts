'use client'

import type { RowSelectionState } from '@tanstack/react-table'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { saveScrollPosition, getScrollPosition } from './scroll-position'
import type { RowList } from './use-list-query'

/** Which rows of a list are ticked: Table's own state, by key, so that reading and sorting anew do not change it. */
export type Selection<Row> = {
  state: RowSelectionState
  count: number
  /** Whether every row that is shown is ticked. */
  isAll: boolean
  /** Ticks from the row that was ticked last to this one, or turns the tick of this one alone. */
  tick: (index: number, isRange: boolean) => void
  /** The focus moves by a row and takes the selection along, away from where that began or back to it. */
  extend: (from: number, to: number) => void
  /** Ticks every row that is loaded and shown. */
  tickAll: () => void
  clear: () => void
  /** The ticked rows as they are known; those of another order that are not here yet, as they were. Another function once they are others. */
  readRows: () => Row[]
  /** How many ticked rows are not known: who came back has not loaded as far again. */
  missing: number
}

const none: RowSelectionState = {}

/**
 * `viewKey` names the view that is shown, whose ticks are there for who comes back; `scope` what is listed: in another order
 * ticks stay, with other filters they go.
 */
export function useSelection<Row>(list: RowList<Row>, scope: string, viewKey: string): Selection<Row> {
  const [{ state, of }, setState] = useState(() => ({ state: getScrollPosition(viewKey).ticks, of: scope }))
  if (of !== scope) setState({ state: getScrollPosition(viewKey).ticks, of: scope })
  /** The row where a range begins, among what was listed then. */
  const anchor = useRef<{ key: string; of: string } | null>(null)
  // A cache, of which a render reads no more than what its ticks and its list ask for.
  const [known] = useState(() => new Map<string, Row>())

  useEffect(() => {
    // Rows are remembered with their ticks: in another order they may not be loaded.
    for (const key of known.keys()) if (!state[key]) known.delete(key)
    for (const key of Object.keys(state)) {
      const row = list.get(key)
      if (row !== undefined) known.set(key, row)
    }
    saveScrollPosition(viewKey, { ticks: state })
  }, [state, list, viewKey, known])

  const keys = useMemo(() => Object.keys(state), [state])
  const isAll = useMemo(() => {
    if (list.size === 0 || keys.length < list.size) return false
    return Array.from({ length: list.size }, (_, index) => list.keyAt(index)).every((key) => state[key])
  }, [keys, list, state])

  const readRows = useCallback(() => keys.flatMap((key) => list.get(key) ?? known.get(key) ?? []), [keys, list, known])

  const missing = useMemo(() => keys.length - readRows().length, [keys, readRows])

  const write = (change: (next: RowSelectionState) => void) => {
    const next = { ...state }
    change(next)
    setState({ state: next, of: scope })
  }
  function tickRange(next: RowSelectionState, from: number, to: number): void {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) next[list.keyAt(index)] = true
  }
  const findAnchor = () => (anchor.current?.of === scope ? list.indexOf(anchor.current.key) : -1)

  return {
    state,
    count: keys.length,
    isAll,
    tick: (index, isRange) => {
      const begin = isRange ? findAnchor() : -1
      const key = list.keyAt(index)
      write((next) => {
        if (begin >= 0) tickRange(next, begin, index)
        else if (next[key]) delete next[key]
        else next[key] = true
      })
      if (begin < 0) anchor.current = { key, of: scope }
    },
    extend: (from, to) => {
      const begin = findAnchor()
      const start = begin < 0 ? from : begin
      anchor.current = { key: list.keyAt(start), of: scope }
      write((next) => {
        if (Math.abs(to - start) < Math.abs(from - start)) delete next[list.keyAt(from)]
        else tickRange(next, from, to)
      })
    },
    tickAll: () => write((next) => list.size > 0 && tickRange(next, 0, list.size - 1)),
    clear: () => {
      anchor.current = null
      setState({ state: none, of: scope })
    },
    readRows,
    missing,
  }
}
