'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { Team } from '@/lib/domain/accounts'

const queryKey = ['team']

/** A change of the team: path, method and body. */
export type TeamChange = {
  path: `/team${string}` | '/factor-rule'
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
}

/** The team and its changes, prompting for the password if required. */
export function useTeam(initialTeam: Team) {
  const { data } = useQuery({
    queryKey,
    queryFn: () => callDesk<Team>('/team'),
    initialData: initialTeam,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: 10_000,
  })
  return data
}

/** One change of the team. The caller asserts the type of the reply. */
export function useTeamChange<Reply>() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...options }: TeamChange) => retryAfterStepUp(() => callDesk<Reply>(path, options)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
