import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

/** As badge.css draws them. */
export type Tone = 'neutral' | 'positive' | 'caution' | 'negative' | 'progress' | 'planned'

/** The classes of a badge, for what is drawn without a component. */
export function badgeClasses(tone: Tone, className?: string): string {
  return mergeClasses('badge', tone !== 'neutral' && `badge-${tone}`, className)
}

/** A word with a tone. The tone only repeats what the word and its icon say. */
export function Badge({ tone = 'neutral', className, ...rest }: ComponentProps<'span'> & { tone?: Tone }) {
  return <span {...rest} className={badgeClasses(tone, className)} />
}
