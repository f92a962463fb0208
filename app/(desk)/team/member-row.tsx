'use client'

import { useState } from 'react'
import { ProblemNotice } from '@/components/problem-notice'
import { Timestamp } from '@/components/timestamp'
import { Badge } from '@/components/ui/badge'
import { Select } from '@/components/ui/select'
import { useInBrowser } from '@/lib/browser/use-in-browser'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { roles } from '@/lib/contract/permission'
import type { TeamMember } from '@/lib/contract/team'
import * as words from '@/lib/words/team'
import { MemberActions } from './member-actions'
import { roleNames } from './role-names'
import type { MadeLink } from './team-page'
import { useTeamChange } from './use-team'

function StateBadge({ member: { state, demo } }: { member: TeamMember }) {
  if (state === 'disabled') return <Badge tone="negative">{words.disabled}</Badge>
  if (state === 'invited') return <Badge tone="progress">{words.invited}</Badge>
  return demo ? <Badge>{words.demoSignIn}</Badge> : null
}

function Activity({ member: { state, lastSeenAt, sessions, linkUntil } }: { member: TeamMember }) {
  return (
    <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
      {lastSeenAt ? (
        <>
          {words.lastSeen} <Timestamp value={lastSeenAt} />
        </>
      ) : (
        words.neverSignedIn
      )}
      {sessions > 0 ? words.now(words.signIns(sessions)) : ''}
      {state === 'provider' ? words.signsInWithYourProvider : ''}
      {linkUntil ? (
        <>
          {words.linkHoldsUntil}
          <Timestamp value={linkUntil} />
        </>
      ) : null}
    </p>
  )
}

type MemberRowProps = { member: TeamMember; isSelf: boolean; onLink: (made: MadeLink) => void }

/** Somebody of the team: their role, which can be changed here, and what else an admin can do. */
export function MemberRow({ member, isSelf, onLink }: MemberRowProps) {
  const { userId, email, role } = member
  const change = useTeamChange<unknown>()
  const [failed, setFailed] = useState<unknown>(null)
  const isReady = useInBrowser()

  function changeRole(value: string): void {
    const body = { role: value }
    setFailed(null)
    change.mutate({ path: `/team/${userId}`, method: 'PATCH', body }, { onError: setFailed })
  }

  return (
    <li data-member={email} className="grid gap-3 border-t border-line px-5 py-3.5 first:border-t-0 max-md:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{email}</span>
            {isSelf ? <span className="text-ink-soft">{words.you}</span> : null}
            <StateBadge member={member} />
          </p>
          <Activity member={member} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={words.roleOf(email)}
            value={role}
            disabled={change.isPending || !isReady}
            onChange={(event) => changeRole(event.target.value)}
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {roleNames[one].name}
              </option>
            ))}
          </Select>
          <MemberActions member={member} isSelf={isSelf} onLink={onLink} onFailed={setFailed} />
        </div>
      </div>
      {failed ? <ProblemNotice facts={readProblemFacts(failed)} /> : null}
    </li>
  )
}
