'use client'

import { CircleCheck, X } from 'lucide-react'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Toast } from '@base-ui/react/toast'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { keepNotice } from './past-notices'
import * as words from '@/lib/words/notices'

export type Notice = {
  title: string
  words: string | undefined
  /** Of the moment alone: it goes soon and is not kept. */
  isBrief?: boolean
}

/** Long enough to find and read it; a pointer or the focus on it stops the time. */
const stay = 30_000
const briefly = 4_000
/** Further ones push the oldest out. */
const most = 3

const manager = Toast.createToastManager()
let isMounted = false

function Notices() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'down']}
      className="rounded-lg border border-line bg-raised text-ink shadow-panel transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 py-3 pr-2 pl-4">
        <CircleCheck className="mt-0.5 size-4.5 text-positive" />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="wrap-anywhere text-ink-soft" />
        </div>
        <Toast.Close
          aria-label={words.close}
          className="-mt-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:size-11"
        >
          <X className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

function mount(): void {
  isMounted = true
  const place = document.body.appendChild(document.createElement('div'))
  const notices = (
    <CSPProvider disableStyleElements>
      <Toast.Provider toastManager={manager} timeout={stay} limit={most}>
        <Toast.Portal>
          <Toast.Viewport
            aria-label={words.confirmationsF6}
            className="rounded-lg focus-visible:outline-2 focus-visible:outline-offset-4 fixed right-4 bottom-18 z-40 flex w-88 max-w-[calc(100vw-2rem)] flex-col-reverse gap-2 md:right-8 md:bottom-16"
          >
            <Notices />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
    </CSPProvider>
  )
  // The manager keeps nothing for a provider that does not listen yet.
  flushSync(() => createRoot(place).render(notices))
}

/** Shows a notice beside the page, above all else but dialogs; F6 leads to it. */
export function showNotice({ title, words, isBrief = false }: Notice): void {
  if (!isMounted) mount()
  manager.add({ title, description: words, ...(isBrief && { timeout: briefly }) })
  if (!isBrief) keepNotice({ title, words: words ?? '', at: new Date().toISOString() })
}
