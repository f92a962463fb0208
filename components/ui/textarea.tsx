import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** Several lines of text; grows with what is typed where the browser can. */
export function Textarea({ className = 'w-full', ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea {...rest} className={mergeClasses('control field-sizing-content max-h-60 min-h-20 py-2', className)} />
  )
}
