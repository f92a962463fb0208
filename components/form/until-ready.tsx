'use client'

import type { ReactNode } from 'react'
import { useInBrowser } from '@/lib/browser/use-in-browser'

/**
 * Holds fields and buttons until their script runs: before that, the browser itself would send a form, with what was
 * typed in the address, and load the page anew, and a filter would do nothing. `name` says what the fields are for.
 */
export function UntilReady({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset disabled={!useInBrowser()} className="contents">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  )
}
