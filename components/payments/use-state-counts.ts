'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { StateCounts } from '@/lib/domain/overview'

const COUNTS_INTERVAL_MS = 5_000

/**
 * How many payments are in each state: at first what the server knew as it rendered the page, then as counted for the
 * opened page, and again after each cancellation.
 */
export function useStateCounts(rendered: StateCounts, loadId: string): StateCounts {
  const client = useQueryClient()
  useLiveQuery(['state-counts'], ['closing'], { countsLoad: false, intervalMs: COUNTS_INTERVAL_MS })
  // Where changes aren't told, those of this page are followed.
  useEffect(
    () => cancellationWatch.onClosed(() => void client.invalidateQueries({ queryKey: ['state-counts'] })),
    [client],
  )
  const queryKey = ['state-counts', loadId]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const isFirst = client.getQueryData(queryKey) === undefined
      return callDesk<StateCounts>(`/overview/states${isFirst ? '?anew=1' : ''}`, { signal, quiet: true })
    },
    retry: false,
    refetchOnWindowFocus: false,
  })
  return data === undefined ? rendered : data
}
