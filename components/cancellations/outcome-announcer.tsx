'use client'

import { useEffect } from 'react'
import type { OutcomeChange } from '@/lib/client/known-cancellations'
import { cancellationWatch, useAnnouncement } from '@/lib/client/cancellations'
import { isUrgent } from '@/lib/domain/cancellations/cancellation-outcome'
import { recordNotice } from '../feedback/toast-store'

function recordOutcome({ text, view, isNamed }: OutcomeChange): void {
  if (view.outcome === 'sending') return
  recordNotice({ title: text, text: isNamed ? '' : view.paymentId, at: new Date().toISOString(), outcome: view })
}

/**
 * Announces every outcome change to screen readers, wherever the user is: failures assertively, others politely. Past
 * outcomes are listed under Notices. Dialogs make the outside inert, but not live regions.
 */
export function OutcomeAnnouncer() {
  const announcement = useAnnouncement()
  const outcome = announcement?.view.outcome
  const isAlert = isUrgent(outcome)
  useEffect(() => cancellationWatch.onOutcomeChange(recordOutcome), [])
  const content = announcement ? <span key={announcement.sequence}>{announcement.text}</span> : null
  return (
    <>
      <output aria-live="polite" className="sr-only" data-outcome={isAlert ? undefined : outcome}>
        {isAlert ? null : content}
      </output>
      {isAlert ? (
        <p role="alert" className="sr-only" data-outcome={outcome}>
          {content}
        </p>
      ) : null}
    </>
  )
}
