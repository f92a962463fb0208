'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { onToast, takePendingToasts } from './toast-store'

/** Shows what `showToast` and `showErrorToast` tell. It stands in the shell; toasts are a tenth of a page's script, and come with the first one. */
export function Toaster() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(
    () =>
      onToast(() => {
        import('./toasts')
          .then((loaded) => setToasts(() => loaded.Toasts))
          // The page itself shows what has become of the change; a confirmation that comes late would confuse.
          .catch(takePendingToasts)
      }),
    [],
  )
  return Toasts ? <Toasts /> : null
}
