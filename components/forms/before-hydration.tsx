'use client'

import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'

/**
 * Holds fields and buttons until their script runs: before that, the browser itself would send a form, with what was
 * typed in the address, and load the page anew, and a filter would do nothing. `name` says what the fields are for.
 */
export function UntilReady({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset disabled={!useHydrated()} className="contents">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  )
}

type PageFormProps = {
  onSubmit: () => void
  /** Whether the page is to be read without what its address says of the view. */
  isPlain?: boolean
  children: ReactNode
}

/** Around a button by which something is read again. Until the page's script works, or without it, the page itself is. */
export function PageForm({ onSubmit, isPlain = false, children }: PageFormProps) {
  const query = useSearchParams()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {Array.from(query, ([name, value], at) =>
        isPlain && name !== 'merchant' ? null : <input key={at} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}
