import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** The platform's own checkbox in the accent colour. */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input {...rest} type="checkbox" className={mergeClasses('size-4 shrink-0 accent-accent', className)} />
}
