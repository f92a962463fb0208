'use client'

import { useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/input'
import { type Role, roles } from '@/lib/api-contract/permission'
import { useHydrated } from '@/lib/client/page-lifecycle'
import type { PasswordLink, TeamMember } from '@/lib/domain/accounts'
import { roleNames } from '@/lib/domain/roles'
import { ResetFactor } from './reset-factor'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** A new password link and its recipient; null if none is needed. */
export type MadeLink = { email: string; link: PasswordLink | null }

type MemberActionsProps = {
  member: TeamMember
  isSelf: boolean
  onLink: (made: MadeLink) => void
  onFailed: (error: unknown) => void
}

const loadDisable = async () => (await import('./disable-member')).DisableMember
const loadRole = async () => (await import('./change-role')).ChangeRole
const loadRemove = async () => (await import('./remove-member')).RemoveMember

/** An admin's actions on a member's sign-in. */
export function MemberActions({ member, isSelf, onLink, onFailed }: MemberActionsProps) {
  const { userId, email, state, sessions, isShared } = member
  const [isAsking, setAsking] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const { part: DisableDialog } = useAskedPart(isAsking, loadDisable, () => setAsking(false))
  const { part: RemoveDialog } = useAskedPart(isRemoving, loadRemove, () => setRemoving(false))
  const link = useTeamChange<PasswordLink>()
  const change = useTeamChange<unknown>()
  const reason = link.isPending || change.isPending ? m.team_requestIsOnItsWay() : null
  const accountReason = reason ?? (isShared ? m.refusals_thisAccountIsShared() : null)

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
      { onSuccess: () => showToast(m.team_signInsEnded(), email), onError: onFailed },
    )
  }

  function enable(): void {
    onFailed(null)
    change.mutate(
      { path: `/team/${userId}`, method: 'PATCH', body: { disabled: false } },
      { onSuccess: () => showToast(m.team_accountEnabled(), email), onError: onFailed },
    )
  }

  const remove = isSelf ? null : (
    <Button
      tone="quiet-danger"
      aria-haspopup="dialog"
      aria-label={m.team_removeLabel({ email })}
      reason={reason}
      onClick={() => setRemoving(true)}
    >
      {m.team_removePart()}
    </Button>
  )
  const removing =
    isRemoving && RemoveDialog ? <RemoveDialog member={member} onClose={() => setRemoving(false)} /> : null

  if (state === 'disabled') {
    return (
      <>
        <Button aria-label={m.team_enable({ email })} reason={accountReason} onClick={enable}>
          {m.team_enableLabel()}
        </Button>
        {remove}
        {removing}
      </>
    )
  }
  return (
    <>
      {state === 'provider' || isSelf ? null : (
        <Button aria-label={m.team_passwordLinkFor({ email })} reason={accountReason} onClick={makeLink}>
          {m.team_passwordLink()}
        </Button>
      )}
      {/* Stays at zero: nothing may move under the pointer. */}
      {state === 'invited' || isSelf ? null : (
        <Button
          aria-label={m.team_endSignInsOf({ email })}
          reason={accountReason ?? (sessions > 0 ? null : m.team_noSignIns())}
          onClick={endSessions}
        >
          {m.team_endSignIns()}
        </Button>
      )}
      {isSelf ? null : (
        <Button
          tone="quiet-danger"
          aria-haspopup="dialog"
          aria-label={m.team_disableLabel({ email })}
          reason={accountReason}
          onClick={() => setAsking(true)}
        >
          {m.team_disablePart()}
        </Button>
      )}
      {isSelf || !member.hasFactor ? null : <ResetFactor member={member} onFailed={onFailed} />}
      {remove}
      {isAsking && DisableDialog ? <DisableDialog member={member} onClose={() => setAsking(false)} /> : null}
      {removing}
    </>
  )
}

function FactorBadge({ member: { hasFactor, state }, isDue }: { member: TeamMember; isDue: boolean }) {
  if (hasFactor) return <Badge tone="positive">{m.secondFactor_hasOne()}</Badge>
  return isDue && state !== 'disabled' ? <Badge tone="caution">{m.secondFactor_lacksOne()}</Badge> : null
}

function StateBadge({ member: { state, demo } }: { member: TeamMember }) {
  if (state === 'disabled') return <Badge tone="negative">{m.team_disabled()}</Badge>
  if (state === 'invited') return <Badge tone="progress">{m.team_invited()}</Badge>
  return demo ? <Badge>{m.team_demoSignIn()}</Badge> : null
}

function Activity({ member: { state, lastSeenAt, sessions, linkUntil, linkMail } }: { member: TeamMember }) {
  return (
    <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
      {lastSeenAt ? (
        <>
          {m.team_lastSeen()} <Timestamp value={lastSeenAt} />
        </>
      ) : (
        m.team_neverSignedIn()
      )}
      {sessions > 0 ? m.team_now({ sessions: m.team_signIns({ sessions }) }) : ''}
      {state === 'provider' ? m.team_signsInWithYourProvider() : ''}
      {linkMail === 'given-up' ? m.team_linkNotMailed() : linkMail === 'waiting' ? m.team_linkBeingMailed() : ''}
      {linkUntil && linkMail !== 'given-up' ? (
        <>
          {m.team_linkHoldsUntil()}
          <Timestamp value={linkUntil} />
        </>
      ) : null}
    </p>
  )
}

/** `isFactorDue`: the merchant requires a second factor of the member's role. */
type MemberRowProps = { member: TeamMember; isSelf: boolean; isFactorDue: boolean; onLink: (made: MadeLink) => void }

/** A team member: their role and an admin's actions. */
export function MemberRow({ member, isSelf, isFactorDue, onLink }: MemberRowProps) {
  const { email, role } = member
  const [asked, setAsked] = useState<Role | null>(null)
  const { part: RoleDialog } = useAskedPart(asked !== null, loadRole, () => setAsked(null))
  const [failed, setFailed] = useState<unknown>(null)
  const isReady = useHydrated()

  return (
    <li data-member={email} className="grid gap-3 border-t border-line px-5 py-3.5 first:border-t-0 max-md:px-4">
      <div className="grid gap-2">
        <div>
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{email}</span>
            {isSelf ? <span className="text-ink-soft">{m.team_you()}</span> : null}
            <StateBadge member={member} />
            <FactorBadge member={member} isDue={isFactorDue} />
          </p>
          <Activity member={member} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={m.team_roleOf({ email })}
            value={asked ?? role}
            disabled={!isReady}
            onChange={(event) => setAsked(roles.find((one) => one === event.target.value) ?? null)}
          >
            {roles.map((one) => (
              <option key={one} value={one}>
                {roleNames[one].name()}
              </option>
            ))}
          </Select>
          <MemberActions member={member} isSelf={isSelf} onLink={onLink} onFailed={setFailed} />
        </div>
      </div>
      {failed ? <ProblemNotice problem={toProblemInfo(failed)} /> : null}
      {asked && asked !== role && RoleDialog ? (
        <RoleDialog member={member} isSelf={isSelf} role={asked} onClose={() => setAsked(null)} />
      ) : null}
    </li>
  )
}
