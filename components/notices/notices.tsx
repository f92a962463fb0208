'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { onTold, takeUntold } from './tell-done'

/** Shows what `tellDone` and `tellFault` tell. It stands in the shell; toasts are a tenth of a page's script, and come with the first one. */
export function Notices() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(
    () =>
      onTold(() => {
        import('./toasts')
          .then((loaded) => setToasts(() => loaded.Toasts))
          // The page itself shows what has become of the change; a confirmation that comes late would confuse.
          .catch(takeUntold)
      }),
    [],
  )
  return Toasts ? <Toasts /> : null
}
