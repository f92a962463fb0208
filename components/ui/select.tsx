import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** The platform's own select: it works with every keyboard, reader and phone, and weighs nothing. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={mergeClasses('relative inline-flex', className)}>
      <select {...rest} className="control w-full appearance-none truncate pr-8">
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-faint" />
    </span>
  )
}
