'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { dropConfirmations, hasPendingToasts, onToast } from './toast-store'

/**
 * Shows the toasts of `showToast` and `showErrorToast`. The toast code is a tenth of a page's script and loads with
 * the first toast.
 */
export function Toaster() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const show = () => {
      import('./toasts')
        .then((loaded) => setToasts(() => loaded.Toasts))
        // The page itself shows the result of a change, and a late confirmation would confuse. A fault waits for the
        // connection to come back, which it may have been lost with.
        .catch(dropConfirmations)
    }
    window.addEventListener('online', showPending)
    function showPending() {
      if (hasPendingToasts()) show()
    }
    const stop = onToast(show)
    return () => {
      stop()
      window.removeEventListener('online', showPending)
    }
  }, [])
  return Toasts ? <Toasts /> : null
}
