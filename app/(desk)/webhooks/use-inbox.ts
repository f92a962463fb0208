'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { callDesk } from '@/lib/browser/call'
import type { InboxView } from '@/lib/contract/inbox'

const every = 3_000
const queryKey = ['inbox']

/** The inbox, looked into every 3 s while the page is in sight, and what subscribes it. */
export function useInbox(first: InboxView) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: view, error: failure } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<InboxView>('/inbox', { signal, quiet: true }),
    initialData: first,
    staleTime: every,
    refetchInterval: every,
    retry: false,
  })

  /** Shows what a change answered, and the subscriptions as they are now. */
  async function take(changed: InboxView): Promise<void> {
    // A look that began before the change must not take its place.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
    router.refresh()
  }

  const subscription = useMutation({
    mutationFn: () =>
      callAgainWhenProven(() => callDesk<InboxView>('/inbox/subscription', { method: 'POST', body: {} })),
    onSuccess: take,
  })
  return { view, failure, take, subscription }
}
