import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { mergeClasses } from './merge-classes'

type Tone = 'primary' | 'secondary' | 'quiet' | 'danger' | 'quiet-danger'
type Size = 'small' | 'medium' | 'touch'

type ButtonProps = ComponentProps<'button'> & {
  tone?: Tone
  size?: Size
  /** Why the button is unavailable: it stays focusable, announces the reason and does nothing. */
  reason?: string | null
}

/** The classes of a button (button.css), for links that look like one. */
export function buttonClasses(tone: Tone = 'secondary', size: Size = 'medium'): string {
  return mergeClasses('button', `button-${tone}`, size !== 'medium' && `button-${size}`)
}

/**
 * A button that is never `disabled`: with a `reason` it is `aria-disabled`, so that it keeps the focus and can
 * explain itself. With `aria-busy` it shows a spinner, in place of its icon.
 */
export function Button({ tone, size, reason, className, onClick, type = 'button', children, ...rest }: ButtonProps) {
  const isBlocked = Boolean(reason)
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isBlocked) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the type is a prop with a safe default
      type={type}
      aria-disabled={isBlocked || undefined}
      title={rest.title ?? reason ?? undefined}
      className={mergeClasses(buttonClasses(tone, size), className)}
      onClick={onClick || isBlocked ? handleClick : undefined}
    >
      {rest['aria-busy'] ? <LoaderCircle className="size-4 animate-spin" /> : null}
      {children}
    </button>
  )
}
