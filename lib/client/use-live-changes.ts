'use client'

import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { ChangeKind } from '@/lib/domain/changes'
import { isSameId } from '@/lib/domain/ids'
import { type Changed, liveChanges } from './live-changes'
import { createReadAgain } from './read-again'

/** Where changes are told, what would be polled is still read once a minute: one might be lost on its way. */
export const LIVE_INTERVAL_MS = 60_000
/** What keeps changing, such as a running bulk, is read at most this often. */
const MIN_INTERVAL_MS = 1_000

const getServerSnapshot = () => false

/** Whether changes are told; else pages poll. */
export function useIsLive(): boolean {
  return useSyncExternalStore(liveChanges.onState, liveChanges.isLive, getServerSnapshot)
}

type ReadAgainOptions = {
  /** Only changes of these ids. */
  ids?: readonly string[]
  /** Whether it is read again for what may have changed since the page was loaded, a few seconds earlier. */
  countsLoad?: boolean
  /** Milliseconds between two reads. */
  intervalMs?: number
  /** Milliseconds before each read. */
  delayMs?: number
}

/** Calls `read` when something of these kinds may have changed, as createReadAgain says. */
export function useReadAgain(
  kinds: readonly ChangeKind[],
  read: () => Promise<unknown>,
  { ids, countsLoad = true, intervalMs = MIN_INTERVAL_MS, delayMs = 0 }: ReadAgainOptions = {},
): void {
  const readNow = useEffectEvent(read)
  const isMeant = useEffectEvent(
    (changed: Changed) =>
      (countsLoad || changed.missed !== 'since-load') &&
      (ids === undefined || changed.ids === null || changed.ids.some((id) => ids.some((one) => isSameId(id, one)))),
  )
  const listed = kinds.join(' ')
  useEffect(() => {
    const again = createReadAgain(() => readNow(), intervalMs, delayMs)
    const stop = liveChanges.onChange(listed.split(' ') as ChangeKind[], (changed) => {
      if (isMeant(changed)) again.request()
    })
    return () => {
      stop()
      again.stop()
    }
  }, [listed, intervalMs, delayMs])
}

/**
 * Reads a query and those under its key again when something of these kinds may have changed. Returns what a polling
 * interval in milliseconds is to be now: itself while changes are not told, else at least a minute.
 */
export function useLiveQuery(
  queryKey: QueryKey,
  kinds: readonly ChangeKind[],
  options?: ReadAgainOptions,
): (interval: number | false) => number | false {
  const client = useQueryClient()
  const isLive = useIsLive()
  useReadAgain(kinds, () => client.invalidateQueries({ queryKey }), options)
  return (interval) => (interval !== false && isLive ? Math.max(interval, LIVE_INTERVAL_MS) : interval)
}
