'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { TeamMember } from '@/lib/domain/accounts'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** Confirms removing a member from the team. */
export function RemoveMember({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const { userId, email, isRoleProvided } = member
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'DELETE' })
    onClose()
    showToast(m.team_removedFromTeam(), email)
  }

  return (
    <ConfirmDialog
      title={m.team_remove({ email })}
      typed={null}
      confirmLabel={m.team_removeFromTeam()}
      cancelLabel={m.team_keepInTeam()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>
        {m.team_theyLoseThisMerchant()}
        {isRoleProvided ? ` ${m.team_providerMayBringThemBack()}` : ''}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
