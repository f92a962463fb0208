'use client'

import { useState } from 'react'
import { tellDone } from '@/components/notices/tell-done'
import { Button } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import type { PasswordLink, TeamMember } from '@/lib/contract/team'
import * as words from '@/lib/words/team'
import type { MadeLink } from './team-page'
import { useTeamChange } from './use-team'

type MemberActionsProps = {
  member: TeamMember
  isSelf: boolean
  onLink: (made: MadeLink) => void
  onFailed: (error: unknown) => void
}

const loadDisable = async () => (await import('./disable-member')).DisableMember
const loadRemove = async () => (await import('./remove-member')).RemoveMember

/** What an admin can do about somebody's way in. */
export function MemberActions({ member, isSelf, onLink, onFailed }: MemberActionsProps) {
  const { userId, email, state, sessions } = member
  const [isAsking, setAsking] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { part: DisableDialog } = useLoaded(isAsking, loadDisable)
  const { part: RemoveDialog } = useLoaded(isRemoving, loadRemove)
  const link = useTeamChange<PasswordLink>()
  const change = useTeamChange<unknown>()
  const reason = link.isPending || change.isPending ? words.requestIsOnItsWay : null

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
      { onSuccess: () => tellDone(words.signInsEnded, email), onError: onFailed },
    )
  }

  function enable(): void {
    onFailed(null)
    change.mutate(
      { path: `/team/${userId}`, method: 'PATCH', body: { disabled: false } },
      { onSuccess: () => tellDone(words.accountEnabled, email), onError: onFailed },
    )
  }

  const remove = isSelf ? null : (
    <Button
      tone="quiet-danger"
      aria-haspopup="dialog"
      aria-label={words.removeLabel(email)}
      reason={reason}
      onClick={() => setRemoving(true)}
    >
      {words.removePart}
    </Button>
  )
  const removing =
    isRemoving && RemoveDialog ? <RemoveDialog member={member} onClose={() => setRemoving(false)} /> : null

  if (state === 'disabled') {
    return (
      <>
        <Button aria-label={words.enable(email)} reason={reason} onClick={enable}>
          {words.enableLabel}
        </Button>
        {remove}
        {removing}
      </>
    )
  }
  return (
    <>
      {state === 'provider' || isSelf ? null : (
        <Button aria-label={words.passwordLinkFor(email)} reason={reason} onClick={makeLink}>
          {words.passwordLink}
        </Button>
      )}
      {/* It stays when there are none left: nothing may move under a pointer. */}
      {state === 'invited' || isSelf ? null : (
        <Button
          aria-label={words.endSignInsOf(email)}
          reason={reason ?? (sessions > 0 ? null : words.noSignIns)}
          onClick={endSessions}
        >
          {words.endSignIns}
        </Button>
      )}
      {isSelf ? null : (
        <Button
          tone="quiet-danger"
          aria-haspopup="dialog"
          aria-label={words.disableLabel(email)}
          reason={reason}
          onClick={() => setAsking(true)}
        >
          {words.disablePart}
        </Button>
      )}
      {remove}
      {isAsking && DisableDialog ? <DisableDialog member={member} onClose={() => setAsking(false)} /> : null}
      {removing}
    </>
  )
}
