'use client'

import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { Link } from '../layout/link'
import { onToast, takePendingToasts } from './toast-store'
import * as m from '@/lib/messages/m'

/** Milliseconds, enough to find and read one; 0: until closed. Hover and focus pause the timer. */
const TIMEOUT_MS = { done: 30_000, brief: 4_000, undo: 12_000, 'brief-fault': 6_000, fault: 0 }
const isFault = (kind?: string) => kind === 'fault' || kind === 'brief-fault'
const MAX_TOASTS = 3

function ToastList() {
  const { toasts, add, close } = Toast.useToastManager()
  useEffect(() => {
    const show = () => {
      // A high priority would make it an alertdialog, which means a cancellation here.
      for (const { title, text, kind, undo, signal, link } of takePendingToasts()) {
        const id: string = add({
          title,
          description: link ? (
            <>
              {text}{' '}
              <Link
                href={link.href}
                className="font-medium text-accent-ink underline underline-offset-2"
                onClick={() => close(id)}
              >
                {link.name}
              </Link>
            </>
          ) : (
            text
          ),
          timeout: TIMEOUT_MS[kind],
          type: kind,
          ...(undo && {
            actionProps: {
              children: m.lists_undo(),
              onClick: () => {
                undo()
                close(id)
              },
            },
          }),
        })
        signal?.addEventListener('abort', () => close(id))
      }
    }
    show()
    return onToast(show)
  }, [add, close])
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'down']}
      className="rounded-lg border border-line bg-raised text-ink shadow-panel transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 py-3 pr-2 pl-4">
        {isFault(toast.type) ? (
          <TriangleAlert aria-hidden className="mt-0.5 size-4.5 text-negative" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4.5 text-positive" />
        )}
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" role={isFault(toast.type) ? 'alert' : undefined} />
          <Toast.Description className="wrap-anywhere text-ink-soft" />
        </div>
        {toast.actionProps ? (
          <Toast.Action className="-my-1 inline-flex h-8 shrink-0 items-center rounded-md px-2.5 font-medium text-accent-ink hover:bg-sunken max-md:h-11" />
        ) : null}
        <Toast.Close
          aria-label={m.notices_close()}
          className="-my-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:-my-2.5 max-md:size-11"
        >
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Toasts, above everything but dialogs; F6 moves the focus to them. */
export function Toasts() {
  return (
    <Toast.Provider limit={MAX_TOASTS}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={m.notices_confirmationsF6()}
          className="rounded-lg focus-visible:outline-2 focus-visible:outline-offset-4 fixed right-4 bottom-[var(--toasts,4.5rem)] [position-anchor:--selection] z-40 flex w-88 max-w-[calc(100vw-2rem)] flex-col-reverse gap-2 md:right-8 md:bottom-[var(--toasts,4rem)]"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
