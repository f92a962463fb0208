'use client'

import type { BulkView } from '@/lib/contract/bulk'
import { ProviderLink } from '@/components/provider-link'
import { useCount, type WriteCount } from '@/components/use-count'
import { describeProblem, describeWait, isOwnerAway } from '@/lib/format/bulk-words'
import * as words from '@/lib/words/bulk-cancellation'

function tell(view: BulkView, formatCount: WriteCount): string {
  const { counts, count, settled, state, written } = view
  if (state === 'starting') return words.startingSoFar(formatCount(written), formatCount(count))
  // Of a stopped bulk, those that were never sent count too.
  const tellDone = state === 'stopped' ? words.dealtWithOf : words.answeredOf
  const done = tellDone(formatCount(settled), formatCount(count))
  if (state === 'running' && counts.unsent === 0 && settled < count) return words.restIsBeingLookedAfter(done)
  if (counts.unsent > 0) return words.notSentYet(done, formatCount(counts.unsent))
  return done
}

/** How far a bulk is. What counts is answered for good, so the bar never goes back. */
export function BulkProgress({ view, isMine }: { view: BulkView; isMine: boolean }) {
  const done = tell(view, useCount())
  const wait = describeWait(view, isMine)
  const problem = describeProblem(view)
  return (
    <div className="grid gap-1.5">
      <progress
        aria-label={words.paymentsAnswered}
        value={Math.min(view.settled, view.count)}
        max={Math.max(view.count, 1)}
        className="h-2 w-full"
      />
      <output className="block">{done}</output>
      {wait ? (
        <output className="block text-caution" data-wait={view.wait?.code}>
          {wait}
        </output>
      ) : null}
      {isMine && isOwnerAway(view) ? (
        <p>
          <ProviderLink size="small" />
        </p>
      ) : null}
      {problem ? <p className="text-caution">{problem}</p> : null}
    </div>
  )
}
