'use client'

import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

type GridKeysOptions = {
  scroller: RefObject<HTMLElement | null>
  rowHeight: number
  /** The current number of rows and the index of the tab stop (-1 before the first focus). */
  getState: () => { size: number; focused: number }
  onFocusRow: (index: number) => void
  /** `isRange`: from the last selected row to this one. Absent where rows cannot be selected. */
  onToggle?: (index: number, isRange: boolean) => void
  /** The focus moved by one row and extends the selection. */
  onExtend?: (from: number, to: number) => void
  onOpen: ((index: number) => void) | undefined
  /** Copies the row's id or handle. */
  onCopy: (index: number, isHandle: boolean) => void
  /** Clears the selection; returns false if it was empty. */
  onClearSelection?: () => void | false
}

const FOCUSABLE = 'a[href], button, input, time'

/** The index of the row around an element; -1 outside of the rows. */
export function readRowIndex(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('[data-row-id]') : null
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1
}

function findRow(scroller: HTMLElement | null, index: number): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-row-id][aria-rowindex="${index + 2}"]`) ?? null
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

/**
 * Keyboard navigation of a grid with one tab stop: arrows, Home, End, PageUp and PageDown move over the rows, left
 * and right over the controls and dates of a row, up from the first row to the header; Space or x selects, Enter
 * opens, c copies, Escape returns to the row, then clears the selection. Single letters work in the grid only (WCAG
 * 2.1.4).
 */
export function useGridKeys({
  scroller,
  rowHeight,
  getState,
  onFocusRow,
  onToggle,
  onExtend,
  onOpen,
  onCopy,
  onClearSelection,
}: GridKeysOptions) {
  /** The row to focus once it is rendered. */
  const pendingFocus = useRef(-1)

  useLayoutEffect(() => {
    if (pendingFocus.current < 0) return
    findRow(scroller.current, pendingFocus.current)?.focus({ preventScroll: true })
    pendingFocus.current = -1
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
    const element = scroller.current
    const { size, focused } = getState()
    const to = Math.min(size - 1, Math.max(0, index))
    if (!element || to < 0) return
    scrollTo(to)
    pendingFocus.current = to
    if (to === focused) findRow(element, to)?.focus({ preventScroll: true })
    onFocusRow(to)
  }

  function getFirstVisible(): number {
    return Math.ceil((scroller.current?.scrollTop ?? 0) / rowHeight)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.metaKey || event.ctrlKey || !(event.target instanceof HTMLElement)) return
    const head = event.target.closest<HTMLElement>('[data-head]')
    const { size, focused } = getState()
    const index = head ? -1 : readRowIndex(event.target)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const isOnRow = index >= 0 && event.target.hasAttribute('data-row-id')
    const row = index >= 0 ? event.target.closest<HTMLElement>('[data-row-id]') : null
    const toggle = isOnRow && onToggle ? () => onToggle(index, event.shiftKey) : undefined
    const actions: Record<string, (() => boolean | void) | undefined> = {
      ArrowDown: () => moveTo(head ? Math.max(focused, getFirstVisible()) : index + 1),
      ArrowUp: () => (index === 0 ? focusHeader(scroller.current) : index > 0 && moveTo(index - 1)),
      PageDown: () => moveTo(index + page),
      PageUp: () => moveTo(index - page),
      Home: () => moveTo(0),
      End: () => moveTo(size - 1),
      ArrowRight: () => (head || row ? moveFocus(head ?? row ?? event.currentTarget, 1) : false),
      ArrowLeft: () => (head || row ? moveFocus(head ?? row ?? event.currentTarget, -1) : false),
      ' ': toggle,
      x: toggle,
      j: row ? () => moveTo(index + 1) : undefined,
      k: row ? () => moveTo(index - 1) : undefined,
      c: row ? () => onCopy(index, event.shiftKey) : undefined,
      Escape: row && !isOnRow ? () => row.focus({ preventScroll: true }) : onClearSelection,
      Enter: isOnRow && onOpen ? () => onOpen(index) : undefined,
    }
    const by = event.shiftKey && isOnRow ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined
    if (by && index + by >= 0 && index + by < size) onExtend?.(index, index + by)
    const action = actions[/^[A-Z]$/u.test(event.key) ? event.key.toLowerCase() : event.key]
    if (action && action() !== false) event.preventDefault()
  }

  return { onKeyDown, moveTo, scrollTo, firstInSight: getFirstVisible }
}

function focusHeader(scroller: HTMLElement | null): void {
  const buttons = scroller?.querySelectorAll<HTMLElement>('[data-head] button')
  ;[...(buttons ?? [])].find((button) => button.checkVisibility())?.focus({ preventScroll: true })
}
