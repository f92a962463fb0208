'use client'

import { type ReactNode, type RefObject, useId, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

type TopDialogProps = {
  title: string
  /** The description, read together with the title. */
  description: ReactNode
  /** Called on Escape; ignore it to stay. */
  onLeave: () => void
  /** The initial focus; the browser restores the previous one. */
  initialFocus: RefObject<HTMLElement | null>
  children: ReactNode
}

const CONTAINED_EVENTS = ['keydown', 'keyup', 'pointerdown', 'mousedown', 'click', 'focusin', 'focusout']

function stopPropagation(event: Event): void {
  event.stopPropagation()
}

/**
 * Stops events here, after React has handled them: listeners further out belong to the page below, where an Escape or
 * a click in this dialog must close nothing.
 */
function makeContainer(): HTMLElement {
  const container = document.createElement('div')
  for (const name of CONTAINED_EVENTS) container.addEventListener(name, stopPropagation)
  return container
}

/**
 * A modal in the browser's top layer: above all dialogs, sheets and popovers of the page, which stay open with their
 * contents. Only for session matters; client only.
 */
export function TopDialog({ title, description, onLeave, initialFocus, children }: TopDialogProps) {
  const id = useId()
  const [container] = useState(makeContainer)
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)

  useLayoutEffect(() => {
    if (!dialog) return undefined
    const opener = document.activeElement
    const focusFallback = opener?.closest<HTMLElement>('[tabindex="-1"]')
    document.body.append(container)
    dialog.showModal()
    initialFocus.current?.focus()
    return () => {
      // Closing restores the focus, which mere removal would not.
      dialog.close()
      container.remove()
      // The element may be gone by then, such as a button that is no longer needed.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) focusFallback?.focus()
      })
    }
  }, [dialog, container, initialFocus])

  return createPortal(
    <dialog
      ref={setDialog}
      aria-labelledby={id}
      aria-describedby={`${id}-words`}
      onCancel={(event) => {
        event.preventDefault()
        onLeave()
      }}
      className="m-auto w-full max-w-md rounded-xl bg-raised text-ink shadow-panel backdrop:bg-veil max-md:mb-0 max-md:max-w-none max-md:rounded-b-none forced-colors:border"
    >
      <h2 id={id} className="px-6 pt-6 text-lg font-semibold tracking-tight max-md:px-4">
        {title}
      </h2>
      <p id={`${id}-words`} className="px-6 pt-2 text-ink-soft max-md:px-4">
        {description}
      </p>
      {children}
    </dialog>,
    container,
  )
}

/** The buttons of a TopDialog; the last one is the primary action. */
export function TopDialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4 max-md:grid max-md:grid-cols-1 max-md:px-4 max-md:pb-[calc(1rem+env(safe-area-inset-bottom))]">
      {children}
    </div>
  )
}
