'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDesk } from '@/lib/browser/call'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import type { Team } from '@/lib/contract/team'

const queryKey = ['team']

/** What is done to the team: the route behind `/team`, its method and body. */
export type TeamChange = { path: `/team${string}`; method: 'POST' | 'PATCH' | 'DELETE'; body?: unknown }

/** The team as it is, and how it is changed: with a recent password, which is asked for where it is wanted. */
export function useTeam(first: Team) {
  const { data } = useQuery({ queryKey, queryFn: () => callDesk<Team>('/team'), initialData: first, staleTime: 10_000 })
  return data
}

/** One change of the team. `Reply` is the caller's word for what its route answers. */
export function useTeamChange<Reply>() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...options }: TeamChange) => callAgainWhenProven(() => callDesk<Reply>(path, options)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
