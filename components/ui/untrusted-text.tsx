import type { ReactNode } from 'react'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { mergeClasses } from './merge-classes'

/**
 * Chromium reshapes a long kerned word for each of its lines: a few of 10,000 letters would block a page for a
 * minute.
 */
const MAX_KERNED_LENGTH = 200

/** Untrusted text, isolated so that none of its characters can reorder or hide its surroundings. */
export function UntrustedText({ children }: { children: string }) {
  return (
    <bdi
      dir="auto"
      className={children.length > MAX_KERNED_LENGTH ? 'wrap-anywhere [font-kerning:none]' : 'wrap-anywhere'}
    >
      {escapeInvisible(children)}
    </bdi>
  )
}

/** Longer texts scroll: nobody finds what follows thousands of lines. */
const MAX_INLINE_LENGTH = 600
const MAX_INLINE_LINES = 8

type LongTextProps = {
  /** The accessible label of a scrolling text. */
  label: string
  text: string
  className?: string
  /** Overrides how it is shown, such as a link. */
  children?: ReactNode
}

/** Untrusted text of any length; a long one scrolls in place, also by keyboard. */
export function LongText({ label, text, className, children }: LongTextProps) {
  const isLong = text.length > MAX_INLINE_LENGTH || text.split('\n', MAX_INLINE_LINES + 1).length > MAX_INLINE_LINES
  const scrolls = isLong && { role: 'group', tabIndex: 0, 'aria-label': escapeInvisible(label) }
  return (
    <span
      {...scrolls}
      dir="auto"
      className={mergeClasses('min-w-0', scrolls && 'block max-h-40 overflow-y-auto', className)}
    >
      {children ?? <UntrustedText>{text}</UntrustedText>}
    </span>
  )
}
