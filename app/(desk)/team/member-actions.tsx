'use client'

import { useState } from 'react'
import { tellDone } from '@/components/notices/tell-done'
import { Button } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import type { PasswordLink, TeamMember } from '@/lib/contract/team'
import type { MadeLink } from './team-page'
import { useTeamChange } from './use-team'

type MemberActionsProps = {
  member: TeamMember
  isSelf: boolean
  onLink: (made: MadeLink) => void
  onFailed: (error: unknown) => void
}

const loadDialog = async () => (await import('./disable-member')).DisableMember

/** What an admin can do about somebody's way in. */
export function MemberActions({ member, isSelf, onLink, onFailed }: MemberActionsProps) {
  const { userId, email, state, sessions } = member
  const [isAsking, setAsking] = useState(false)
  const { part: Dialog } = useLoaded(isAsking, loadDialog)
  const link = useTeamChange<PasswordLink>()
  const change = useTeamChange<unknown>()
  const reason = link.isPending || change.isPending ? 'The request is on its way.' : null

  function makeLink(): void {
    onFailed(null)
    link.mutate(
      { path: `/team/${userId}/link`, method: 'POST' },
      { onSuccess: (made) => onLink({ email, link: made }), onError: onFailed },
    )
  }

  function endSessions(): void {
    onFailed(null)
    change.mutate(
      { path: `/team/${userId}/sessions`, method: 'DELETE' },
      { onSuccess: () => tellDone('Sign-ins ended', email), onError: onFailed },
    )
  }

  function enable(): void {
    onFailed(null)
    change.mutate(
      { path: `/team/${userId}`, method: 'PATCH', body: { disabled: false } },
      { onSuccess: () => tellDone('Account enabled', email), onError: onFailed },
    )
  }

  if (state === 'disabled') {
    return (
      <Button aria-label={`Enable ${email}`} reason={reason} onClick={enable}>
        Enable
      </Button>
    )
  }
  return (
    <>
      {state === 'provider' || isSelf ? null : (
        <Button aria-label={`Password link for ${email}`} reason={reason} onClick={makeLink}>
          Password link
        </Button>
      )}
      {sessions > 0 && !isSelf ? (
        <Button aria-label={`End sign-ins of ${email}`} reason={reason} onClick={endSessions}>
          End sign-ins
        </Button>
      ) : null}
      {isSelf ? null : (
        <Button
          tone="quiet-danger"
          aria-haspopup="dialog"
          aria-label={`Disable ${email}`}
          reason={reason}
          onClick={() => setAsking(true)}
        >
          Disable
        </Button>
      )}
      {isAsking && Dialog ? <Dialog member={member} onClose={() => setAsking(false)} /> : null}
    </>
  )
}
