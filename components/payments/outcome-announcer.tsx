'use client'

import { useEffect } from 'react'
import type { Told } from '@/lib/browser/cancellation-watch'
import { cancellationWatch, useAnnouncement } from '@/lib/browser/cancellations'
import { describeOutcome, isGrave } from '@/lib/format/outcome'
import { keepNotice } from '../notices/past-notices'

function keepOutcome({ text, view, isNamed }: Told): void {
  if (view.outcome === 'sending') return
  const why = describeOutcome(view) ?? ''
  keepNotice({ title: text, words: isNamed ? why : `${view.paymentId} ${why}`.trim(), at: new Date().toISOString() })
}

/**
 * Says every change of a cancellation's outcome aloud, wherever on the desk the user is: failures, and what
 * comes with them, at once, all else in its turn; what came of it can be read again under Notices. Dialogs hide what is outside of them, but no live region.
 */
export function OutcomeAnnouncer() {
  const announcement = useAnnouncement()
  const outcome = announcement?.view.outcome
  const isAlert = isGrave(outcome)
  useEffect(() => cancellationWatch.onTold(keepOutcome), [])
  const told = announcement ? <span key={announcement.sequence}>{announcement.text}</span> : null
  return (
    <>
      <output aria-live="polite" className="sr-only" data-outcome={isAlert ? undefined : outcome}>
        {isAlert ? null : told}
      </output>
      {isAlert ? (
        <p role="alert" className="sr-only" data-outcome={outcome}>
          {told}
        </p>
      ) : null}
    </>
  )
}
