'use client'

import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { useRef, useSyncExternalStore } from 'react'

import * as m from '@/lib/messages/m'
const PHONE_QUERY = '(width < 48rem)'

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE_QUERY)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

type SideSheetProps = { onClose: () => void; children: ReactNode }

/**
 * A panel at the right edge, labelled by the Dialog.Title inside it. On a desktop the page beside it stays usable; on
 * a phone it is modal and covers the page. Escape closes it and restores the focus.
 */
export function SideSheet({ onClose, children }: SideSheetProps) {
  const popup = useRef<HTMLDivElement>(null)
  const modal = useSyncExternalStore(subscribe, () => window.matchMedia(PHONE_QUERY).matches)
  return (
    <Dialog.Root open modal={modal} disablePointerDismissal onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          className="fixed inset-y-0 right-0 z-35 flex w-(--panel) max-w-full flex-col bg-surface text-ink shadow-panel transition-[opacity,transform] duration-150 data-starting-style:translate-x-4 data-starting-style:opacity-0 max-md:w-full forced-colors:border-l"
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Classes of icon buttons in a panel's header. */
export const sheetButton =
  'inline-flex size-9 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:size-11'

/** The header of a panel: title, links and the close button. */
export function SheetHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-6 max-md:pl-4">
      <Dialog.Title className="min-w-0 truncate text-sm font-semibold">{title}</Dialog.Title>
      <div className="flex">
        {children}
        <Dialog.Close aria-label={m.controls_closePanel()} title={m.controls_closeEsc()} className={sheetButton}>
          <X className="size-4.5" />
        </Dialog.Close>
      </div>
    </div>
  )
}
