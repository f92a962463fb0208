'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { type ReactNode, useEffect } from 'react'
import { followTheme } from '@/lib/client/theme'

/** Client-side setup of the whole tree; kept small, for every page carries it. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // Browser tests wait for it: clicks before hydration are lost.
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
