'use client'

import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import type { ReactNode, RefObject } from 'react'

type AlertDialogProps = {
  title: ReactNode
  /** Called on Escape; ignore it to stay. */
  onLeave: () => void
  initialFocus: RefObject<HTMLElement | null>
  /** The default is the previously focused element; `false` leaves the focus where the page has put it. */
  finalFocus?: (() => HTMLElement | null | false) | undefined
  children: ReactNode
}

/** A modal question that must be answered (role alertdialog); clicks outside do nothing. A bottom sheet on a phone. */
export function AlertDialog({ title, onLeave, initialFocus, finalFocus, children }: AlertDialogProps) {
  return (
    <Base.Root open onOpenChange={(open) => (open ? undefined : onLeave())}>
      <Base.Portal>
        <Base.Backdrop
          forceRender
          className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-starting-style:opacity-0"
        />
        <Base.Viewport className="fixed inset-0 z-50 flex items-center justify-center p-4 max-md:items-end max-md:p-0">
          <Base.Popup
            initialFocus={initialFocus}
            finalFocus={finalFocus ? () => finalFocus() ?? true : true}
            className="flex max-h-full w-full max-w-lg flex-col overflow-y-auto rounded-xl bg-raised text-ink shadow-panel transition-[opacity,transform] duration-150 data-starting-style:translate-y-2 data-starting-style:opacity-0 max-md:max-h-[94dvh] max-md:max-w-none max-md:rounded-b-none forced-colors:border"
          >
            <Base.Title className="px-6 pt-6 text-lg font-semibold tracking-tight text-balance wrap-anywhere max-md:px-4">
              <span className="line-clamp-4">{title}</span>
            </Base.Title>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The description, read together with the title. */
export function AlertDialogDescription({ children }: { children: ReactNode }) {
  return <Base.Description className="text-ink-soft">{children}</Base.Description>
}
