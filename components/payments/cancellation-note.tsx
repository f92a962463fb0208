'use client'

import type { CancellationView } from '@/lib/contract/cancellation'
import { describeOutcome } from '@/lib/format/outcome'
import { Timestamp } from '../timestamp'
import { OutcomeBadge } from './outcome-badge'

/** What Debitdesk did to a payment: the outcome, why, who asked, when and with which reason. */
export function CancellationNote({ view }: { view: CancellationView }) {
  const why = describeOutcome(view)
  return (
    <div className="rounded-lg border border-line bg-surface p-4">
      <OutcomeBadge view={view} />
      {why ? <p className="mt-2 wrap-anywhere text-ink">{why}</p> : null}
      <p className="mt-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
        Asked by {view.requestedBy}, <Timestamp value={view.requestedAt} />. Reason: {view.text}
      </p>
    </div>
  )
}
