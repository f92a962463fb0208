'use client'

import type { BulkView } from '@/lib/contract/bulk'
import { useCount, type WriteCount } from '@/components/use-count'
import { describeProblem, describeWait } from '@/lib/format/bulk-words'

function tell(view: BulkView, formatCount: WriteCount): string {
  const { counts, count, settled, state } = view
  // Of a stopped bulk, those that were never sent count too.
  const done = `${formatCount(settled)} of ${formatCount(count)} ${state === 'stopped' ? 'dealt with' : 'answered'}`
  if (state === 'running' && counts.unsent === 0 && settled < count) return `${done}; the rest is being looked after`
  if (counts.unsent > 0) return `${done}, ${formatCount(counts.unsent)} not sent yet`
  return done
}

/** How far a bulk is. What counts is answered for good, so the bar never goes back. */
export function BulkProgress({ view }: { view: BulkView }) {
  const words = tell(view, useCount())
  const wait = describeWait(view)
  const problem = describeProblem(view)
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label="Payments answered"
        value={Math.min(view.settled, view.count)}
        max={Math.max(view.count, 1)}
        className="h-2 w-full overflow-hidden rounded-full bg-sunken accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <output className="block">{words}</output>
      {wait ? (
        <output className="block text-caution" data-wait={view.wait?.code}>
          {wait}
        </output>
      ) : null}
      {problem ? <p className="text-caution">{problem}</p> : null}
    </div>
  )
}
