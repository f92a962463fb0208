'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { dropConfirmations, hasPendingToasts, onToast } from './toast-store'

/** Shows what `showToast` and `showErrorToast` tell. It stands in the shell; toasts are a tenth of a page's script, and come with the first one. */
export function Toaster() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const show = () => {
      import('./toasts')
        .then((loaded) => setToasts(() => loaded.Toasts))
        // The page itself shows what has become of a change, and a confirmation that comes late would confuse. A fault
        // waits for the connection that it may have been lost with.
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
