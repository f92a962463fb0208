'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { type ReactNode, useEffect } from 'react'
import { followTheme } from '@/lib/client/theme'

/** What the whole tree needs in the browser; kept small, for every page carries it. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // Journeys wait for it: what is pressed before React has taken the page over is lost.
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  useEffect(followTheme, [])
  return (
    <CSPProvider nonce={nonce} disableStyleElements>
      {children}
    </CSPProvider>
  )
}
