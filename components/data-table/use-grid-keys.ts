'use client'

import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { copyValue } from './grid-actions'
import type { Selection } from './use-selection'
import type { RowList } from '../infinite-list/use-list-query'

type GridKeysOptions<Row> = {
  scroller: RefObject<HTMLElement | null>
  /** In pixels. */
  rowHeight: number
  list: RowList<Row>
  /** The key of the row with the tab stop; null before the first focus. */
  focusKey: string | null
  /** Its index; -1 also where it has left the list. */
  focusedIndex: number
  moveTabStop: (index: number) => void
  /** Null where rows cannot be selected. */
  selection: Selection<Row> | null
  onOpen: ((index: number) => void) | undefined
}

const FOCUSABLE = 'a[href], button, input, time'

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

/** Moves the focus among the controls of a row or the header; false at the end. */
function moveFocus(group: HTMLElement, by: 1 | -1): boolean {
  const all = [...group.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((control) => control.checkVisibility())
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[at + by]
  if (next) focusCell(next)
  else if (at === 0 && by === -1) group.focus({ preventScroll: true })
  else return false
  return true
}

function focusHeader(scroller: HTMLElement | null): void {
  const buttons = scroller?.querySelectorAll<HTMLElement>('[data-head] button')
  const button = [...(buttons ?? [])].find((one) => one.checkVisibility())
  if (button) focusCell(button)
}

/**
 * Keyboard navigation of a grid with one tab stop: arrows, Home, End, PageUp and PageDown move over the rows, left
 * and right over the controls and dates of a row, up from the first row to the header; Space or x selects, Enter
 * opens, c copies the id and C the handle, Escape returns to the row, then clears the selection. Single letters work
 * in the grid only (WCAG 2.1.4).
 */
export function useGridKeys<Row extends { id: string | null; handle: string | null }>(options: GridKeysOptions<Row>) {
  const { scroller, rowHeight, list, focusKey, focusedIndex, moveTabStop, selection, onOpen } = options
  /** Whether the row with the tab stop gets the focus once it is rendered: also when the reader comes back to the list. */
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

  function scrollTo(index: number): void {
    const element = scroller.current
    if (!element) return
    const head = element.firstElementChild?.clientHeight ?? 0
    const [top, room] = [index * rowHeight, element.clientHeight - head]
    if (top < element.scrollTop) element.scrollTo({ top, behavior: 'instant' })
    else if (top + rowHeight > element.scrollTop + room) {
      element.scrollTo({ top: top + rowHeight - room, behavior: 'instant' })
    }
  }

  function moveTo(index: number): void {
    const to = Math.min(list.size - 1, Math.max(0, index))
    if (to < 0) return
    scrollTo(to)
    isFocusWanted.current = true
    moveTabStop(to)
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

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.metaKey || !(event.target instanceof HTMLElement)) return
    // With Ctrl too, which would scroll the list and leave the focus behind.
    if (event.ctrlKey && event.key !== 'Home' && event.key !== 'End') return
    const head = event.target.closest<HTMLElement>('[data-head]')
    const index = head ? -1 : readRowIndex(event.target)
    // From the header or the grid itself.
    const from = index >= 0 ? index : getStart() - 1
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const row = index >= 0 ? event.target.closest<HTMLElement>('[data-row-id]') : null
    const group = head ?? row
    const isOnRow = row === event.target
    const toggle = isOnRow && selection ? () => selection.toggle(index, event.shiftKey) : undefined
    const actions: Record<string, (() => boolean | void) | undefined> = {
      ArrowDown: () => moveTo(head ? Math.max(focusedIndex, from + 1) : from + 1),
      ArrowUp: () => (index === 0 ? focusHeader(scroller.current) : index > 0 && moveTo(index - 1)),
      PageDown: () => moveTo(from + page),
      PageUp: () => moveTo(from - page),
      Home: () => moveTo(0),
      End: () => moveTo(list.size - 1),
      ArrowRight: group ? () => moveFocus(group, 1) : undefined,
      ArrowLeft: group ? () => moveFocus(group, -1) : undefined,
      ' ': toggle,
      x: toggle,
      j: head ? undefined : () => moveTo(from + 1),
      k: head ? undefined : () => moveTo(row ? index - 1 : from),
      c: row ? () => copy(index, event.shiftKey) : undefined,
      Escape:
        row && !isOnRow ? () => row.focus({ preventScroll: true }) : selection?.count ? selection.clear : undefined,
      Enter: isOnRow && onOpen ? () => onOpen(index) : undefined,
    }
    const by = event.shiftKey && isOnRow ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined
    if (by && index + by >= 0 && index + by < list.size) selection?.extend(index, index + by)
    const action = actions[/^[A-Z]$/u.test(event.key) ? event.key.toLowerCase() : event.key]
    if (!action || action() === false) return
    event.preventDefault()
    // The panel beside the list would close too.
    if (event.key === 'Escape') event.stopPropagation()
  }

  return {
    onKeyDown,
    moveTo,
    scrollTo,
    getStart,
    noteFocus: (isInside: boolean) => (hadFocus.current = isInside),
  }
}
