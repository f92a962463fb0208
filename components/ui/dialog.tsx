'use client'

import { X } from 'lucide-react'
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import * as m from '@/lib/messages/m'

/** A modal dialog, closed by its button, Escape or a click outside. A bottom sheet on a phone. */
export function Modal({ title, onClose, children }: { title: ReactNode; onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop
          forceRender
          className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-starting-style:opacity-0"
        />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-center justify-center p-4 max-md:items-end max-md:p-0">
          <Dialog.Popup className="flex max-h-full w-full max-w-xl flex-col overflow-hidden rounded-xl bg-raised text-ink shadow-panel transition-[opacity,transform] duration-150 data-starting-style:translate-y-2 data-starting-style:opacity-0 max-md:max-h-[94dvh] max-md:max-w-none max-md:rounded-b-none forced-colors:border">
            <div className="flex items-start justify-between gap-4 px-6 pt-5 pb-2 max-md:px-4">
              <Dialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">{title}</Dialog.Title>
              <Dialog.Close
                aria-label={m.controls_close()}
                title={m.controls_closeEsc()}
                className="-mr-2 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:size-11"
              >
                <X className="size-4.5" />
              </Dialog.Close>
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6 max-md:px-4">{children}</div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
