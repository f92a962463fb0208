import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** A single-line text input (control.css). `className` overrides the width. */
export function Input({ className = 'w-full', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={mergeClasses('control', className)} />
}

/** A multi-line text input; grows with its content where supported. */
export function Textarea({ className = 'w-full', ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea {...rest} className={mergeClasses('control field-sizing-content max-h-60 min-h-20 py-2', className)} />
  )
}

/** A native select: it works with every keyboard, screen reader and phone, and needs no script. */
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

/** A native checkbox in the accent colour. */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input {...rest} type="checkbox" className={mergeClasses('size-4 shrink-0 accent-accent', className)} />
}
