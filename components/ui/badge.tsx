import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** The tones of badge.css. */
export type Tone = 'neutral' | 'positive' | 'caution' | 'negative' | 'progress' | 'planned'

/** The classes of a badge, for use without the component. */
export function badgeClasses(tone: Tone, className?: string): string {
  return mergeClasses('badge', tone !== 'neutral' && `badge-${tone}`, className)
}

/** A label with a tone. The tone only repeats what the text and icon say. */
export function Badge({ tone = 'neutral', className, ...rest }: ComponentProps<'span'> & { tone?: Tone }) {
  return <span {...rest} className={badgeClasses(tone, className)} />
}
