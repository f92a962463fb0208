'use client'

import { showToast } from '@/components/feedback/toast-store'
import { Button } from '@/components/ui/button'
import type { TeamMember } from '@/lib/domain/accounts'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

type ResetFactorProps = { member: TeamMember; onFailed: (error: unknown) => void }

/** Resets a member's second factor, which takes two admins: one asks, another approves. */
export function ResetFactor({ member: { userId, email, factorReset, isShared }, onFailed }: ResetFactorProps) {
  const change = useTeamChange<{ isReset?: boolean }>()
  const reason = change.isPending ? m.team_requestIsOnItsWay() : null
  const resetReason = reason ?? (isShared ? m.refusals_thisAccountIsShared() : null)
  const path = `/team/${userId}/second-factor` as const

  function send(method: 'POST' | 'DELETE'): void {
    onFailed(null)
    change.mutate(
      { path, method },
      {
        onSuccess: ({ isReset }) => {
          const text = isReset ? m.secondFactor_wasReset() : m.secondFactor_resetRequested()
          showToast(method === 'DELETE' ? m.secondFactor_resetWithdrawn() : text, email)
        },
        onError: onFailed,
      },
    )
  }

  if (!factorReset)
    return (
      <Button aria-label={m.secondFactor_resetLabel({ email })} reason={resetReason} onClick={() => send('POST')}>
        {m.secondFactor_reset()}
      </Button>
    )
  return (
    <div data-factor-reset="" className="flex flex-wrap items-center gap-2">
      <span className="text-[0.8125rem] text-ink-soft">
        {factorReset.isOwn
          ? m.secondFactor_resetAwaits()
          : m.secondFactor_resetRequestedBy({ email: factorReset.requestedBy })}
      </span>
      {factorReset.isOwn ? null : (
        <Button
          tone="danger"
          aria-label={m.secondFactor_approveResetLabel({ email })}
          reason={resetReason}
          onClick={() => send('POST')}
        >
          {m.secondFactor_approveReset()}
        </Button>
      )}
      <Button aria-label={m.secondFactor_withdrawResetLabel({ email })} reason={reason} onClick={() => send('DELETE')}>
        {factorReset.isOwn ? m.secondFactor_withdrawReset() : m.secondFactor_declineReset()}
      </Button>
    </div>
  )
}
