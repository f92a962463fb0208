'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { dropConfirmations, hasPendingToasts, onToast, readPendingTitles, showToastOfPageBefore } from './toast-store'

const loadToasts = async () => (await import('./toasts')).Toasts

/**
 * Shows the toasts of `showToast` and `showErrorToast`. The toast code is a tenth of a page's script and loads with
 * the first toast; where it can't be loaded, the last fault is written plainly.
 */
export function Toaster({ load = loadToasts }: { load?: () => Promise<ComponentType> }) {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    const show = () => {
      load()
        .then((loaded) => setToasts(() => loaded))
        // The page itself shows the result of a change, and a late confirmation would confuse. A fault waits for the
        // connection to come back, which it may have been lost with.
        .catch(() => {
          dropConfirmations()
          setFault(readPendingTitles().at(-1) ?? null)
        })
    }
    window.addEventListener('online', showPending)
    function showPending() {
      if (hasPendingToasts()) show()
    }
    const stop = onToast(show)
    showToastOfPageBefore()
    return () => {
      stop()
      window.removeEventListener('online', showPending)
    }
  }, [load])
  if (Toasts) return <Toasts />
  return fault === null ? null : (
    <p role="alert" className="corner-note">
      {fault}
    </p>
  )
}
