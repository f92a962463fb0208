'use client'

import type { RowSelectionState } from '@tanstack/react-table'
import { useEffect, useMemo, useRef, useState } from 'react'
import { showToast, showUndoToast } from '../feedback/toast-store'
import { focusList } from './grid-actions'
import type { RowList } from '../infinite-list/use-list-query'
import { useFormatCount } from '../layout/app-config'
import * as m from '@/lib/messages/m'
import { saveListPlace, getListPlace } from './list-place'

/** The selected rows of a list by key, so that refreshing and sorting keep it. */
export type Selection<Row> = {
  state: RowSelectionState
  count: number
  /** Whether every shown row is selected. */
  isAll: boolean
  /** Does to all rows from the last one to this one what was done to that one, or toggles this one alone. */
  toggle: (index: number, isRange: boolean) => void
  /** The focus moved by a row and extends or shrinks the range that ends there, or begins one. */
  extend: (from: number, to: number) => void
  /** Selects every loaded and shown row. */
  selectAll: () => void
  /** Clears the selection; one of several rows can be brought back. */
  clear: () => void
  /** The selected rows as last known, including those not loaded in the current sorting. */
  rows: readonly Row[]
  /** The number of selected rows whose data is unknown, because the list was not loaded as far again. */
  missing: number
}

const none: RowSelectionState = {}

/**
 * `viewKey` identifies the view whose selection is restored on return; `scope` what is listed: a new sorting keeps
 * the selection, other filters clear it.
 */
export function useSelection<Row>(list: RowList<Row>, scope: string, viewKey: string): Selection<Row> {
  const formatCount = useFormatCount()
  const [{ state, of: stateScope }, setState] = useState(() => ({
    state: getListPlace(viewKey).selection,
    of: scope,
  }))
  if (stateScope !== scope) setState({ state: getListPlace(viewKey).selection, of: scope })
  /** The start of a range selection and its other end, within its scope. */
  const anchor = useRef<{ key: string; end: string; of: string } | null>(null)
  /** The offer to bring back what was cleared last; withdrawn once the list is left, or shows other filters. */
  const undo = useRef<AbortController | null>(null)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other filters
  useEffect(() => () => undo.current?.abort(), [scope])
  // Rows that were selected once: in another sorting they may not be loaded, and a cleared selection may come back.
  const [knownRows] = useState(() => new Map<string, Row>())

  useEffect(() => {
    for (const key of Object.keys(state)) {
      const row = list.get(key)
      if (row !== undefined) knownRows.set(key, row)
    }
    saveListPlace(viewKey, { selection: state })
  }, [state, list, viewKey, knownRows])

  const keys = useMemo(() => Object.keys(state), [state])
  // What other filters drop is said; on the way back to these it is there again.
  const shown = useRef({ scope, count: keys.length })
  useEffect(() => {
    const { scope: before, count } = shown.current
    shown.current = { scope, count: keys.length }
    if (before === scope || count === 0 || keys.length > 0) return
    showToast(m.lists_selectionCleared({ count, written: formatCount(count) }), m.lists_otherFilters(), {
      isBrief: true,
    })
  }, [scope, keys, formatCount])
  const isAll = useMemo(() => {
    if (list.size === 0 || keys.length < list.size) return false
    return Array.from({ length: list.size }, (_, index) => list.keyAt(index)).every((key) => state[key])
  }, [keys, list, state])

  const rows = useMemo(() => keys.flatMap((key) => list.get(key) ?? knownRows.get(key) ?? []), [keys, list, knownRows])

  const updateState = (change: (next: RowSelectionState) => void) => {
    const next = { ...state }
    change(next)
    setState({ state: next, of: scope })
  }
  function selectRange(next: RowSelectionState, from: number, to: number, isSelected = true): void {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      if (isSelected) next[list.keyAt(index)] = true
      else delete next[list.keyAt(index)]
    }
  }
  const findAnchor = () => (anchor.current?.of === scope ? list.indexOf(anchor.current.key) : -1)

  return {
    state,
    count: keys.length,
    isAll,
    toggle: (index, isRange) => {
      const begin = isRange ? findAnchor() : -1
      const key = list.keyAt(index)
      updateState((next) => {
        if (begin >= 0) selectRange(next, begin, index, next[list.keyAt(begin)] === true)
        else if (next[key]) delete next[key]
        else next[key] = true
      })
      anchor.current = { key: begin < 0 ? key : list.keyAt(begin), end: key, of: scope }
    },
    extend: (from, to) => {
      // A focus that came from elsewhere begins a new range.
      const begin = anchor.current?.end === list.keyAt(from) ? findAnchor() : -1
      const start = begin < 0 ? from : begin
      anchor.current = { key: list.keyAt(start), end: list.keyAt(to), of: scope }
      updateState((next) => {
        if (Math.abs(to - start) < Math.abs(from - start)) delete next[list.keyAt(from)]
        else selectRange(next, from, to)
      })
    },
    selectAll: () => updateState((next) => list.size > 0 && selectRange(next, 0, list.size - 1)),
    clear: () => {
      anchor.current = null
      setState({ state: none, of: scope })
      const count = keys.length
      if (count < 2) return
      // What is selected meanwhile stays.
      const restore = () => {
        setState((now) => ({ state: { ...now.state, ...state }, of: scope }))
        focusList()
      }
      undo.current?.abort()
      undo.current = new AbortController()
      const title = m.lists_selectionCleared({ count, written: formatCount(count) })
      showUndoToast(title, restore, undo.current.signal)
    },
    rows,
    missing: keys.length - rows.length,
  }
}
