import type { ComponentProps, MouseEvent } from 'react'
import { mergeClasses } from './merge-classes'

const tones = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge/60 bg-surface text-ink hover:border-edge hover:bg-sunken',
  quiet: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-negative-fill text-on-accent hover:brightness-92',
  'quiet-danger': 'border border-edge/60 bg-surface text-negative hover:border-negative hover:bg-negative-soft',
} as const

const sizes = {
  small: 'h-8 max-md:h-11 max-md:min-w-11 px-2.5 text-[0.8125rem]',
  medium: 'h-9 max-md:h-11 max-md:min-w-11 px-3.5 text-sm',
  touch: 'h-11 px-4 text-sm',
} as const

type ButtonProps = ComponentProps<'button'> & {
  tone?: keyof typeof tones
  size?: keyof typeof sizes
  /** Why the button cannot be used: it stays reachable, says so to assistive technology and does nothing. */
  reason?: string | null
}

/** Classes of a button, for links that look like one. */
export function buttonClasses(tone: keyof typeof tones = 'secondary', size: keyof typeof sizes = 'medium'): string {
  return mergeClasses(
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors duration-100',
    'forced-colors:border aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:hover:brightness-100',
    tones[tone],
    sizes[size],
  )
}

/** A button that is never `disabled`: with a `reason` it is `aria-disabled`, so it keeps the focus and can explain itself. */
export function Button({ tone, size, reason, className, onClick, type = 'button', ...rest }: ButtonProps) {
  const held = Boolean(reason)
  function act(event: MouseEvent<HTMLButtonElement>) {
    if (held) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the type is a prop with a safe default
      type={type}
      aria-disabled={held || undefined}
      title={rest.title ?? reason ?? undefined}
      className={mergeClasses(buttonClasses(tone, size), className)}
      onClick={onClick || held ? act : undefined}
    />
  )
}
