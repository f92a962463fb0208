'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { type Announcement, createCancellationWatch } from './cancellation-watch'

/** The one watch of this browser tab. On the server it stays empty: nothing is read there. */
export const cancellationWatch = createCancellationWatch()

const nothing = () => null

/**
 * The current cancellation of a payment (see `pickCurrentCancellation`), kept fresh while it is open; null when none is known. With
 * an id, that one of the payment's while it is known.
 */
export function useCancellation(paymentId: string | null, id?: string): CancellationView | null {
  const read = useCallback(() => (paymentId === null ? null : cancellationWatch.get(paymentId, id)), [paymentId, id])
  return useSyncExternalStore(cancellationWatch.subscribe, read, nothing)
}

/** The last change of an outcome, for the live region. */
export function useAnnouncement(): Announcement | null {
  return useSyncExternalStore(cancellationWatch.subscribe, cancellationWatch.getAnnouncement, nothing)
}
