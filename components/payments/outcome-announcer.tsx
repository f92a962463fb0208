'use client'

import { useState } from 'react'
import { useAnnouncement } from '@/lib/browser/cancellations'
import type { Outcome } from '@/lib/contract/cancellation'

/** Whether somebody should hear of it at once. */
export function isFailure(outcome: Outcome | undefined): boolean {
  return outcome === 'not-cancelled' || outcome === 'needs-person'
}

/**
 * Says every change of a cancellation's outcome aloud that comes while it stands there: failures at once, all else in
 * its turn. A dialog hides what is outside of it, so it has one of its own; what `leavesFailures` others say there.
 */
export function OutcomeAnnouncer({ leavesFailures = false }: { leavesFailures?: boolean }) {
  const announcement = useAnnouncement()
  const [before] = useState(announcement?.sequence)
  const fresh = announcement && announcement.sequence !== before ? announcement : null
  const outcome = fresh?.view.outcome
  const isAlert = isFailure(outcome)
  const told = fresh ? <span key={fresh.sequence}>{fresh.text}</span> : null
  return (
    <>
      <output aria-live="polite" className="sr-only" data-outcome={isAlert ? undefined : outcome}>
        {isAlert ? null : told}
      </output>
      {isAlert && !leavesFailures ? (
        <p role="alert" className="sr-only" data-outcome={outcome}>
          {told}
        </p>
      ) : null}
    </>
  )
}
