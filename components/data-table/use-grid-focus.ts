'use client'

import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { copyValue } from './grid-actions'
import { getListPlace, saveListPlace } from './list-place'
import type { Selection } from './use-selection'
import type { RowList } from '../infinite-list/use-list-query'

type GridFocusOptions<Row> = {
  scroller: RefObject<HTMLElement | null>
  /** In pixels. */
  rowHeight: number
  list: RowList<Row>
  /** Identifies the view and the page load. */
  viewKey: string
  /** Null where rows cannot be selected. */
  selection: Selection<Row> | null
  onOpen: (key: string) => void
}

/** The index of the row around an element; -1 outside of the rows. */
export function readRowIndex(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('[data-row-id]') : null
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1
}

/** Focuses a control in a cell and scrolls a wide list horizontally to it. */
function focusCell(control: HTMLElement): void {
  control.focus({ preventScroll: true })
  control.closest('.dt-cell')?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
}

const findVisible = (within: HTMLElement | null, selector: string) =>
  [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])].filter((control) => control.checkVisibility())

/** Moves the focus among the controls of a row or the header; false at the end. */
function focusNextControl(group: HTMLElement, by: 1 | -1): boolean {
  const all = findVisible(group, 'a[href], button, input, time')
  const at = all.findIndex((control) => control === document.activeElement)
  const next = all[at + by]
  if (next) focusCell(next)
  else if (at === 0 && by === -1) group.focus({ preventScroll: true })
  else return false
  return true
}

function focusHeader(scroller: HTMLElement | null): void {
  const [button] = findVisible(scroller, '[data-head] button')
  if (button) focusCell(button)
}

/**
 * The focus of a grid, which is one tab stop: the row that had it last, which stays drawn, or the grid. Arrows, Home,
 * End, PageUp and PageDown move over the rows, left and right over the controls and dates of a row, up from the first
 * row to the header; Space or x selects, Enter opens, c copies the id and C the handle, Escape returns to the row,
 * then clears the selection. Single letters work in the grid only (WCAG 2.1.4).
 */
export function useGridFocus<Row extends { id: string | null; handle: string | null }>(options: GridFocusOptions<Row>) {
  const { scroller, rowHeight, list, viewKey, selection, onOpen } = options
  // A view opens where the reader left it, a new one at its top.
  const [tabStop, setTabStop] = useState(() => ({ of: viewKey, key: getListPlace(viewKey).focusKey }))
  if (tabStop.of !== viewKey) setTabStop({ of: viewKey, key: getListPlace(viewKey).focusKey })
  const { key: focusKey } = tabStop
  const focusedIndex = focusKey === null ? -1 : list.indexOf(focusKey)
  /** Whether the row with the tab stop gets the focus once it is rendered: also for a reader who comes back. */
  const isFocusWanted = useRef(focusedIndex >= 0)
  const hadFocus = useRef(false)
  /** Where the row with the tab stop stands, or stood before it left the list. */
  const lastIndex = useRef(-1)
  useLayoutEffect(() => {
    if (focusedIndex >= 0 || focusKey === null) lastIndex.current = focusedIndex
  }, [focusKey, focusedIndex])

  useLayoutEffect(() => {
    // The browser drops the focus with a row that unmounts.
    const isLost = hadFocus.current && document.activeElement === document.body
    // On the way back to the list nothing has it, or the page's content.
    const isFree = document.activeElement?.matches('body, #content') === true
    const isWanted = isFocusWanted.current && (hadFocus.current || isFree)
    // Otherwise the list, and the page, stand where the reader left them or scrolled to.
    const isByKeys = isWanted && hadFocus.current
    isFocusWanted.current = false
    if (!isWanted && !isLost) return
    const grid = scroller.current
    const row = grid?.querySelector<HTMLElement>('[data-row-id][tabindex="0"]')
    ;(row ?? grid)?.focus({ preventScroll: true })
    // The list is scrolled to it already; on a short screen, and around an embedded list, the page scrolls too.
    if (isByKeys) row?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  })

  function moveTabStop(index: number): void {
    const key = list.keyAt(index)
    if (key === focusKey) return
    saveListPlace(viewKey, { focusKey: key })
    setTabStop({ of: viewKey, key })
  }

  /** Scrolls to a row and gives it the tab stop. */
  function reveal(index: number): void {
    const element = scroller.current
    if (!element) return
    const [top, room] = [index * rowHeight, element.clientHeight - (element.firstElementChild?.clientHeight ?? 0)]
    const end = top + rowHeight - room
    if (top < element.scrollTop) element.scrollTo({ top, behavior: 'instant' })
    else if (end > element.scrollTop) element.scrollTo({ top: end, behavior: 'instant' })
    moveTabStop(index)
  }

  function focusRow(index: number): void {
    if (list.size === 0) return
    isFocusWanted.current = true
    reveal(Math.min(list.size - 1, Math.max(0, index)))
  }

  /** Where the keys begin: in the place of the row with the tab stop, which has left the list, or at the first in sight. */
  function getStart(): number {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    const first = Math.ceil(scrollTop / rowHeight)
    const place = Math.min(lastIndex.current, list.size - 1)
    return place > first && (place + 1) * rowHeight < scrollTop + clientHeight ? place : first
  }

  function copy(index: number, isHandle: boolean): void {
    const row = list.rowAt(index)
    const value = (isHandle && row?.handle) || row?.id
    if (value) void copyValue(value)
  }

  function onFocus({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    hadFocus.current = true
    const isKeyboardFocus = target.matches(':focus-visible')
    // Dates are focused by keyboard only; a click on one is a click on its row.
    if (target.tagName === 'TIME' && !isKeyboardFocus)
      return target.closest<HTMLElement>('[data-row-id]')?.focus({ preventScroll: true })
    const index = readRowIndex(target)
    if (index >= 0) {
      // A mouse press moves the tab stop on click, so that both effects render together.
      if (!target.matches(':active')) moveTabStop(index)
    } else if (target === currentTarget && isKeyboardFocus) focusRow(getStart())
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, target, shiftKey } = event
    if (event.altKey || event.metaKey || !(target instanceof HTMLElement)) return
    // With Ctrl too, which would scroll the list and leave the focus behind.
    if (event.ctrlKey && key !== 'Home' && key !== 'End') return
    const head = target.closest<HTMLElement>('[data-head]')
    const row = target.closest<HTMLElement>('[data-row-id]')
    const index = readRowIndex(target)
    // From the header or the grid itself.
    const from = row ? index : getStart() - 1
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const group = head ?? row
    const isOnRow = row === target
    const toggle = isOnRow && selection ? () => selection.toggle(index, shiftKey) : undefined
    const actions: Record<string, (() => boolean | void) | undefined> = {
      ArrowDown: () => focusRow(head ? Math.max(focusedIndex, from + 1) : from + 1),
      ArrowUp: () => (index === 0 ? focusHeader(scroller.current) : row !== null && focusRow(index - 1)),
      PageDown: () => focusRow(from + page),
      PageUp: () => focusRow(from - page),
      Home: () => focusRow(0),
      End: () => focusRow(list.size - 1),
      ArrowRight: group ? () => focusNextControl(group, 1) : undefined,
      ArrowLeft: group ? () => focusNextControl(group, -1) : undefined,
      ' ': toggle,
      x: toggle,
      j: head ? undefined : () => focusRow(from + 1),
      k: head ? undefined : () => focusRow(row ? index - 1 : from),
      c: row ? () => copy(index, shiftKey) : undefined,
      Escape:
        row && !isOnRow ? () => row.focus({ preventScroll: true }) : selection?.count ? selection.clear : undefined,
      Enter: isOnRow ? () => onOpen(list.keyAt(index)) : undefined,
    }
    const by = shiftKey && isOnRow ? { ArrowDown: 1, ArrowUp: -1 }[key] : undefined
    if (by && index + by >= 0 && index + by < list.size) selection?.extend(index, index + by)
    const action = actions[/^[A-Z]$/u.test(key) ? key.toLowerCase() : key]
    if (!action || action() === false) return
    event.preventDefault()
    // The panel beside the list would close too.
    if (key === 'Escape') event.stopPropagation()
  }

  const onBlur = () => void (hadFocus.current = false)
  return { focusKey, focusedIndex, moveTabStop, reveal, onFocus, onBlur, onKeyDown }
}
