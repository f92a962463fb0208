'use client'

import { useEffect } from 'react'
import { liveChanges } from '@/lib/client/live-changes'

/** Part of the shell: keeps what the page shows up to date. Tabs of the same user and merchant share a connection. */
export function LiveUpdates({ userId, connectionId }: { userId: string; connectionId: string }) {
  useEffect(() => liveChanges.start(`${userId} ${connectionId}`), [userId, connectionId])
  return null
}
