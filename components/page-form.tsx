'use client'

import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'

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
