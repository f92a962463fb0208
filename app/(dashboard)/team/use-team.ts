'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Role } from '@/lib/api-contract/permission'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { Team } from '@/lib/domain/accounts'
import * as words from '@/lib/words/team'

/** A role's label and permissions. */
export const roleNames: Record<Role, { name: string; about: string }> = {
  admin: { name: words.admin, about: words.everythingAndTheTeam },
  support: { name: words.support, about: words.readsAndCancelsPayments },
  viewer: { name: words.viewer, about: 'reads' },
}

const queryKey = ['team']

/** A change of the team: path below `/team`, method and body. */
export type TeamChange = { path: `/team${string}`; method: 'POST' | 'PATCH' | 'DELETE'; body?: unknown }

/** The team and its changes, prompting for the password if required. */
export function useTeam(initialTeam: Team) {
  const { data } = useQuery({
    queryKey,
    queryFn: () => callDesk<Team>('/team'),
    initialData: initialTeam,
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
