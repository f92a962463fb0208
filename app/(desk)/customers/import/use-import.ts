'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDesk } from '@/lib/browser/call'
import type { CustomerImportView, LineDecision } from '@/lib/contract/customer-import'

/** So often a running import is asked after (milliseconds). */
const pause = 1_000

/** An import as it goes on, what stops it or lets it go on, and what settles a line in doubt. `error` is of the last asking, or of the last act. */
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
  async function show(changed: CustomerImportView): Promise<void> {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
  }
  const { mutate: act, error: actError } = useMutation({
    mutationFn: (action: 'stop' | 'go-on') => callDesk<CustomerImportView>(path, { method: 'POST', body: { action } }),
    onSuccess: show,
  })
  const { mutate: decide, error: decideError } = useMutation({
    mutationFn: (body: LineDecision) => callDesk<CustomerImportView>(`${path}/lines`, { method: 'POST', body }),
    onSuccess: show,
    // Somebody else may have decided on it: what is shown is what there is.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  return { view, error: decideError ?? actError ?? error, act, decide }
}
