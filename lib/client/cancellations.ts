'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { type Announcement, createCancellationWatch } from './cancellation-watch'

/** The one watch of this browser tab. On the server it stays empty: nothing is read there. */
export const cancellationWatch = createCancellationWatch()

const nothing = () => null

/** The cancellation of a payment that counts (see `pickCurrent`), kept fresh while it is open; null when none is known. */
export function useCancellation(paymentId: string | null): CancellationView | null {
  const read = useCallback(() => (paymentId === null ? null : cancellationWatch.get(paymentId)), [paymentId])
  return useSyncExternalStore(cancellationWatch.subscribe, read, nothing)
}

/** The last change of an outcome, for the live region. */
export function useAnnouncement(): Announcement | null {
  return useSyncExternalStore(cancellationWatch.subscribe, cancellationWatch.getAnnouncement, nothing)
}
