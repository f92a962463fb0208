import type { ComponentProps } from 'react'
import { mergeClasses } from './merge-classes'

const tones = {
  neutral: 'bg-sunken text-ink-soft',
  positive: 'bg-positive-soft text-positive',
  caution: 'bg-caution-soft text-caution',
  negative: 'bg-negative-soft text-negative',
  progress: 'bg-progress-soft text-progress',
  planned: 'bg-planned-soft text-planned',
} as const

export type Tone = keyof typeof tones

/** A word with a tone. The tone only repeats what the word and its icon say. */
export function Badge({ tone = 'neutral', className, ...rest }: ComponentProps<'span'> & { tone?: Tone }) {
  return (
    <span
      {...rest}
      className={mergeClasses(
        'inline-flex h-6 max-w-full items-center gap-1.5 rounded-md px-2 text-[0.8125rem] font-medium whitespace-nowrap',
        'forced-colors:border forced-colors:border-current [&>svg]:size-3.5 [&>svg]:shrink-0',
        tones[tone],
        className,
      )}
    />
  )
}
