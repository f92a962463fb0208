'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { ThemeProvider } from 'next-themes'
import { type ReactNode, useEffect } from 'react'

/**
 * What the whole tree needs in the browser; kept small, for every page carries it. That transitions rest while the theme
 * changes would style the whole page anew four times over at each load.
 */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // Journeys wait for it: what is pressed before React has taken the page over is lost.
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" nonce={nonce}>
      <CSPProvider nonce={nonce} disableStyleElements>
        {children}
      </CSPProvider>
    </ThemeProvider>
  )
}
