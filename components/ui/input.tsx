import type { ComponentProps } from 'react'
import { controlClasses } from './control-classes'
import { mergeClasses } from './merge-classes'

/** One line of text. 16 px on a phone, where smaller text makes the browser zoom in. Give `className` for another width. */
export function Input({ className = 'w-full', ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={mergeClasses(controlClasses, 'h-9 max-md:h-11 max-md:text-base', className)} />
}
