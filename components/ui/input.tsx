import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** One line of text (control.css). Give `className` for another width. */
export function Input({ className = 'w-full', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={mergeClasses('control', className)} />
}
