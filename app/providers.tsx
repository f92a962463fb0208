'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'

/** What the whole tree needs in the browser; kept small, for every page carries it. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" disableTransitionOnChange nonce={nonce}>
      <CSPProvider nonce={nonce} disableStyleElements>
        {children}
      </CSPProvider>
    </ThemeProvider>
  )
}
