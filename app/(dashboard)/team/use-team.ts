'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Role } from '@/lib/api-contract/permission'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { Team } from '@/lib/domain/accounts'
import * as words from '@/lib/words/team'

/** A role as it is shown, and what it may do. */
export const roleNames: Record<Role, { name: string; about: string }> = {
  admin: { name: words.admin, about: words.everythingAndTheTeam },
  support: { name: words.support, about: words.readsAndCancelsPayments },
  viewer: { name: words.viewer, about: 'reads' },
}

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
    mutationFn: ({ path, ...options }: TeamChange) => retryAfterStepUp(() => callDesk<Reply>(path, options)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
