'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RichMessage } from '@/components/ui/rich-message'
import { callDesk } from '@/lib/client/api-client'
import { toProblemInfo } from '@/components/feedback/problem-display'
import type { OwnSession, OwnSessions } from '@/lib/domain/accounts'
import * as m from '@/lib/messages/m'

const queryKey = ['sessions']

function SignIn({ session, busy, onEnd }: { session: OwnSession; busy: boolean; onEnd: () => void }) {
  const { browser, peer, isCurrent, startedAt, lastSeenAt } = session
  const name = browser ?? m.account_browser()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 max-md:px-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent ? <Badge tone="positive">{m.account_thisOne()}</Badge> : null}
        </p>
        <p className="text-[0.8125rem] text-ink-soft">
          {peer ? m.account_fromSince({ peer }) : m.account_since()} <Timestamp value={startedAt} />{' '}
          {m.account_lastSeen()} <Timestamp value={lastSeenAt} />
        </p>
      </div>
      {isCurrent ? null : (
        <Button
          aria-label={m.account_end({ name })}
          reason={busy ? m.account_requestIsOnItsWay() : null}
          onClick={onEnd}
        >
          {m.account_endLabel()}
        </Button>
      )}
    </li>
  )
}

type OwnSignInsProps = {
  initialSessions: OwnSessions
  /** Whether the page shows API tokens too. */
  hasTokens: boolean
}

/** The user's sessions, each of which can be ended. */
export function OwnSignIns({ initialSessions, hasTokens }: OwnSignInsProps) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data } = useQuery({
    queryKey,
    queryFn: () => callDesk<OwnSessions>('/sessions'),
    initialData: initialSessions,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: 10_000,
  })
  const end = useMutation({
    mutationFn: (path: `/sessions${string}`) => callDesk<OwnSessions>(path, { method: 'DELETE' }),
    onSuccess: async (left) => {
      // A read that started before must not overwrite it.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, left)
      // The pressed button disappears with its session.
      heading.current?.focus()
    },
  })
  return (
    <section aria-labelledby="sign-ins" className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 p-5 max-md:px-4">
        <div>
          <h2 id="sign-ins" ref={heading} tabIndex={-1} className="font-semibold">
            {m.account_whereYouAreSignedIn()}
          </h2>
          <p className="mt-0.5 text-ink-soft">
            {m.account_signInEndsAfterHalf()}{' '}
            {hasTokens ? (
              <RichMessage
                message={m.account_tokensOutliveSignIns}
                parts={{
                  tokens: (
                    <a href="#api-tokens" className="text-accent-ink underline">
                      {m.apiTokens_title()}
                    </a>
                  ),
                }}
              />
            ) : null}
          </p>
        </div>
        {data.sessions.length > 1 ? (
          <Button reason={end.isPending ? m.account_requestIsOnItsWay() : null} onClick={() => end.mutate('/sessions')}>
            {m.account_endAllOthers()}
          </Button>
        ) : null}
      </div>
      <ul>
        {data.sessions.map((session) => (
          <SignIn
            key={session.sessionId}
            session={session}
            busy={end.isPending}
            onEnd={() => end.mutate(`/sessions/${session.sessionId}`)}
          />
        ))}
      </ul>
      {end.error ? (
        <div className="border-t border-line p-5 max-md:px-4">
          <ProblemNotice problem={toProblemInfo(end.error)} />
        </div>
      ) : null}
    </section>
  )
}
