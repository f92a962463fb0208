'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { TokenList } from '@/components/api-tokens/token-list'
import { callDesk } from '@/lib/client/api-client'
import type { TeamApiTokens } from '@/lib/domain/api-tokens'
import * as m from '@/lib/messages/m'

const queryKey = ['team-api-tokens']

/** The API tokens of the whole team. */
export function TeamTokens({ initialTokens }: { initialTokens: TeamApiTokens }) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = useQuery({
    queryKey,
    queryFn: () => callDesk<TeamApiTokens>('/team/tokens'),
    initialData: initialTokens,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: 10_000,
  })

  async function revoke(id: string): Promise<void> {
    const left = await callDesk<TeamApiTokens>(`/team/tokens/${id}`, { method: 'DELETE' })
    // A read that started before must not overwrite it.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, left)
  }

  return (
    <section aria-labelledby="team-tokens" className="rounded-lg border border-line bg-surface">
      <div className="p-5 max-md:px-4">
        <h2 id="team-tokens" ref={heading} tabIndex={-1} className="font-semibold">
          {m.apiTokens_title()}
        </h2>
        <p className="mt-0.5 text-ink-soft">{m.apiTokens_teamAbout()}</p>
        {data.tokens.length === 0 ? <p className="mt-3">{m.apiTokens_teamNone()}</p> : null}
      </div>
      <TokenList tokens={data.tokens} isTeam revoke={revoke} onRevoked={() => heading.current?.focus()} />
    </section>
  )
}
