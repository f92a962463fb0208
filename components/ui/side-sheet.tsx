'use client'

import { Dialog } from '@base-ui/react/dialog'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { mergeClasses } from './merge-classes'
import { useMediaQuery } from './use-media-query'
import * as m from '@/lib/messages/m'

/** Where there is no room for a list beside it; data-table.css makes the room. */
const OVERLAY_QUERY = '(width < 80rem)'

/** How the keys J and K, and SheetMoveButtons, lead through a list. */
export type SheetMoves = {
  /** Whether the panel shows the first row, or the last. Pressed keys may be ahead of what it shows. */
  isFirst: boolean
  isLast: boolean
  /** Opens the row before, or after, the one that was opened last. Does nothing at either end. */
  move: (by: -1 | 1) => void
}

type SideSheetProps = {
  onClose: () => void
  moves?: SheetMoves | undefined
  /** What it shows: when that changes, the panel stays and takes the focus unless it has it. */
  contentKey?: string | null
  /** Where the focus goes when it closes; `true`: where it came from. */
  finalFocus?: (() => HTMLElement | true) | undefined
  children: ReactNode
}

const TEXT_FIELDS = 'input, textarea, select, [contenteditable]'

/**
 * A panel at the right edge, labelled by the Dialog.Title inside it. On a desktop the page beside it stays usable; on
 * a smaller screen it is modal and lies over the page, on a phone over all of it. Escape closes it and restores the
 * focus.
 */
export function SideSheet({ onClose, moves, contentKey = null, finalFocus, children }: SideSheetProps) {
  const popup = useRef<HTMLDivElement>(null)
  const modal = useMediaQuery(OVERLAY_QUERY)

  useEffect(() => {
    const panel = popup.current
    if (contentKey !== null && panel && !panel.contains(document.activeElement)) panel.focus({ preventScroll: true })
  }, [contentKey])

  function onKeyDown({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void {
    // React's events also come from the dialogs opened in it, which stand elsewhere in the page.
    if (!(target instanceof Element) || !popup.current?.contains(target) || target.closest(TEXT_FIELDS)) return
    if (ctrlKey || metaKey || altKey) return
    const by = ({ j: 1, k: -1 } as const)[key.toLowerCase()]
    if (by) moves?.move(by)
  }

  /** Tab goes on after the panel's place in the page; where nothing follows, at the page's beginning. */
  function onFocus({ target, currentTarget: place }: FocusEvent): void {
    // The panel stands in a portal; in its place is only what leads past it.
    if (!place.contains(target) || document.activeElement !== target) return
    document.querySelector<HTMLElement>('a[href="#content"]')?.focus()
  }

  return (
    <div className="contents" onFocus={onFocus}>
      <Dialog.Root
        open
        modal={modal}
        disablePointerDismissal={!modal}
        onOpenChange={(open) => (open ? undefined : onClose())}
      >
        <Dialog.Portal>
          {modal ? <Dialog.Backdrop className="fixed inset-0 z-35 bg-veil" /> : null}
          <Dialog.Popup
            ref={popup}
            initialFocus={popup}
            finalFocus={finalFocus}
            onKeyDown={onKeyDown}
            className="fixed inset-y-0 right-0 z-35 flex w-(--panel) max-w-full flex-col bg-surface text-ink shadow-panel outline-none transition-[opacity,transform] duration-150 data-starting-style:translate-x-4 data-starting-style:opacity-0 max-md:w-full forced-colors:border-l"
          >
            {children}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  )
}

/** Classes of icon buttons in a panel's header. */
export const sheetButton =
  'inline-flex size-9 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:size-11'

/** The buttons that lead to the neighbours of what a panel shows. */
export function SheetMoveButtons({ moves: { isFirst, isLast, move } }: { moves: SheetMoves }) {
  return (
    <>
      {(
        [
          { label: m.controls_previousRow(), by: -1, atEnd: isFirst, Icon: ChevronUp },
          { label: m.controls_nextRow(), by: 1, atEnd: isLast, Icon: ChevronDown },
        ] as const
      ).map(({ label, by, atEnd, Icon }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          // It keeps the focus at the end of the list.
          aria-disabled={atEnd}
          onClick={() => move(by)}
          className={mergeClasses(sheetButton, 'aria-disabled:opacity-40 aria-disabled:hover:bg-transparent')}
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      ))}
    </>
  )
}

/** The header of a panel: title, links and the close button. */
export function SheetHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-6 max-md:pl-4">
      <Dialog.Title aria-live="polite" className="min-w-0 truncate text-sm font-semibold">
        {title}
      </Dialog.Title>
      <div className="flex">
        {children}
        <Dialog.Close aria-label={m.controls_closePanel()} title={m.controls_closeEsc()} className={sheetButton}>
          <X className="size-4.5" />
        </Dialog.Close>
      </div>
    </div>
  )
}
