'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readOverview } from '@/lib/browser/read-overview'
import type { Overview } from '@/lib/contract/overview'

const queryKey = ['overview']

/** The figures as they grow; what was counted stays when reading fails. `again` asks anew. */
export function useOverview() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const anew = client.getQueryData(queryKey) !== undefined
      const onOverview = (overview: Overview) => client.setQueryData(queryKey, overview)
      return readOverview({ anew, signal, onOverview })
    },
    // A count reads every payment: it is repeated when somebody asks for it.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return {
    overview: data ?? null,
    error: isFetching ? null : error,
    isWalking: isFetching,
    again: () => void refetch(),
  }
}
