'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDesk } from '@/lib/browser/call'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import type { BulkAction, BulkConfirmation, BulkView } from '@/lib/contract/bulk'

const makeKey = (id: string) => ['bulk', id]

/** How soon it is worth asking again, in milliseconds: often while something moves. */
function chooseInterval(view: BulkView | undefined): number | false {
  if (!view) return false
  if (view.state === 'preparing' || view.state === 'starting') return 700
  if (view.state === 'running') return 1_000
  const isSettled = view.settled >= view.count
  return view.startedAt !== null && (view.state === 'paused' || !isSettled) ? 2_000 : false
}

/** Whether rows of a bulk may still change. */
export function isMoving(view: BulkView): boolean {
  return view.startedAt !== null && chooseInterval(view) !== false
}

/** A bulk as it stands, followed while it moves; `problem` is why that is not known at this moment. */
export function useBulk(first: BulkView) {
  const { data, error } = useQuery({
    queryKey: makeKey(first.id),
    queryFn: ({ signal }) => callDesk<BulkView>(`/bulk/${first.id}`, { signal, quiet: true }),
    initialData: first,
    refetchInterval: ({ state }) => chooseInterval(state.data),
  })
  return { view: data, problem: error }
}

/** Confirms a bulk, with a recent password, which is asked for where it is wanted. */
export function useStart(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BulkConfirmation) =>
      callAgainWhenProven(() => callDesk<BulkView>(`/bulk/${id}/start`, { method: 'POST', body })),
    onSuccess: (view) => client.setQueryData(makeKey(id), view),
  })
}

/** Pauses, resumes or stops a bulk. */
export function useBulkAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: BulkAction) => callDesk<BulkView>(`/bulk/${id}`, { method: 'POST', body: { action } }),
    onSuccess: (view) => client.setQueryData(makeKey(id), view),
    onError: () => client.invalidateQueries({ queryKey: makeKey(id) }),
  })
}
