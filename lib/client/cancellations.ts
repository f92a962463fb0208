'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { createCancellationWatch } from './cancellation-watch'
import type { Announcement } from './known-cancellations'
import { liveChanges } from './live-changes'

/** This tab's watch. On the server it stays empty. */
export const cancellationWatch = createCancellationWatch({ live: liveChanges })

const getServerSnapshot = () => null

/**
 * The current cancellation of a payment (see `pickCurrentCancellation`), read again while it is open; null if none is
 * known. With `id`, that one if it is known.
 */
export function useCancellation(paymentId: string | null, id?: string): CancellationView | null {
  const read = useCallback(() => (paymentId === null ? null : cancellationWatch.get(paymentId, id)), [paymentId, id])
  return useSyncExternalStore(cancellationWatch.subscribe, read, getServerSnapshot)
}

export function useAnnouncement(): Announcement | null {
  return useSyncExternalStore(cancellationWatch.subscribe, cancellationWatch.getAnnouncement, getServerSnapshot)
}
