import type { ReactNode } from 'react'
import { escapeInvisible } from '@/lib/domain/visible-text'
import { mergeClasses } from './merge-classes'

/** Chromium shapes a long kerned word anew for each of its lines: a few of 10,000 letters would hold a page for a minute. */
const longestKerned = 200

/** A name as the service said it, apart from the sentence around it: no letter of it can turn or hide what stands beside. */
export function UntrustedText({ children }: { children: string }) {
  return (
    <bdi dir="auto" className={children.length > longestKerned ? 'wrap-anywhere [font-kerning:none]' : 'wrap-anywhere'}>
      {escapeInvisible(children)}
    </bdi>
  )
}

/** Nobody finds what stands thousands of lines below a longer one. */
const longest = 600
const mostLines = 8

type LongTextProps = {
  /** What the text is, for who hears the page. */
  label: string
  text: string
  className?: string
  /** How it is shown, such as a link; the text itself unless given. */
  children?: ReactNode
}

/** A value as the service said it, of any length: a long one scrolls in its place, by keyboard too. */
export function LongText({ label, text, className, children }: LongTextProps) {
  const isLong = text.length > longest || text.split('\n', mostLines + 1).length > mostLines
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
