'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import { listRefreshes } from '@/lib/client/list-queries'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { StateCounts } from '@/lib/domain/overview'

const COUNTS_INTERVAL_MS = 5_000

/**
 * How many payments are in each state: at first what the server knew as it rendered the page, then as counted for the
 * opened page, again after each cancellation, and counted anew when somebody refreshes the list.
 */
export function useStateCounts(rendered: StateCounts, loadId: string): StateCounts {
  const client = useQueryClient()
  useLiveQuery(['state-counts'], ['closing'], { countsLoad: false, intervalMs: COUNTS_INTERVAL_MS })
  // Where changes aren't told, those of this page are followed.
  useEffect(
    () => cancellationWatch.onClosed(() => void client.invalidateQueries({ queryKey: ['state-counts'] })),
    [client],
  )
  const isAskedAnew = useRef(false)
  useEffect(
    () =>
      listRefreshes.listen(() => {
        isAskedAnew.current = true
        void client.invalidateQueries({ queryKey: ['state-counts'] })
      }),
    [client],
  )
  const queryKey = ['state-counts', loadId]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const isFirst = client.getQueryData(queryKey) === undefined
      const isAnew = isFirst || isAskedAnew.current
      isAskedAnew.current = false
      return callDesk<StateCounts>(`/overview/states${isAnew ? '?anew=1' : ''}`, { signal, quiet: true })
    },
    retry: false,
    refetchOnWindowFocus: false,
  })
  return data === undefined ? rendered : data
}
