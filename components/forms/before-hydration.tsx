'use client'

import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'

/**
 * Disables fields and buttons until hydration: before it, the browser would submit a form with its input in the URL,
 * and a filter would do nothing. `name` labels the fields.
 */
export function HydratedFieldset({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset disabled={!useHydrated()} className="contents">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  )
}

type PageFormProps = {
  onSubmit: () => void
  /** Whether to reload without the view's query parameters. */
  isPlain?: boolean
  children: ReactNode
}

/** Wraps a button that reloads data. Before hydration, or without scripts, it reloads the page. */
export function PageForm({ onSubmit, isPlain = false, children }: PageFormProps) {
  const query = new URLSearchParams(useSearchParams())
  // On the server Next groups the parameters by name, as members of an object, and drops this one.
  query.delete('__proto__')
  query.sort()
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
