'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDesk } from '@/lib/browser/call'
import type { CustomerImportView } from '@/lib/contract/customer-import'

/** So often a running import is asked after (milliseconds). */
const pause = 1_000

/** An import as it goes on, and what stops it or lets it go on. `error` is of the last asking, or of the last act. */
export function useImport(first: CustomerImportView) {
  const client = useQueryClient()
  const path = `/imports/${first.importId}` as const
  const queryKey = ['import', first.importId]
  const { data: view, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<CustomerImportView>(path, { signal, quiet: true }),
    initialData: first,
    staleTime: pause,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pause : false),
    retry: false,
  })
  const { mutate: act, error: actError } = useMutation({
    mutationFn: (action: 'stop' | 'go-on') => callDesk<CustomerImportView>(path, { method: 'POST', body: { action } }),
    onSuccess: async (changed) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
    },
  })
  return { view, error: actError ?? error, act }
}
