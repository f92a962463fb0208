'use client'

import { mergeClasses } from '@/components/ui/merge-classes'
import { useCount } from '@/components/use-count'
import * as words from '@/lib/words/bulk-cancellation'

export type Group = { value: string; label: string; count: number }

/** How many rows are what, each of which shows those alone; the first shows all. */
export function FilterChips({
  groups,
  chosen,
  onChoose,
}: {
  groups: readonly Group[]
  chosen: string | null
  onChoose: (value: string | null) => void
}) {
  const formatCount = useCount()
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const all = [{ value: null, label: words.all, count: total }, ...groups.filter(({ count }) => count > 0)]
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{words.show}</legend>
      {all.map(({ value, label, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className={mergeClasses(
            'inline-flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-[0.8125rem] font-medium max-md:h-11',
            chosen === value
              ? 'border-accent bg-accent-soft text-accent-ink'
              : 'bg-surface text-ink-soft hover:text-ink',
          )}
        >
          {label}
          <span className="tabular-nums" data-count={value ?? 'all'}>
            {formatCount(count)}
          </span>
        </button>
      ))}
    </fieldset>
  )
}
