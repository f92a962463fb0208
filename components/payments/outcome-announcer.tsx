'use client'

import { useAnnouncement } from '@/lib/browser/cancellations'

/** Says every change of a cancellation's outcome aloud, wherever on the desk the user is. */
export function OutcomeAnnouncer() {
  const announcement = useAnnouncement()
  return (
    <output aria-live="polite" className="sr-only" data-outcome={announcement?.view.outcome}>
      {announcement ? <span key={announcement.sequence}>{announcement.text}</span> : null}
    </output>
  )
}
