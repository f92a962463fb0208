'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { TeamMember } from '@/lib/domain/accounts'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** Confirms disabling an account. */
export function DisableMember({ member: { userId, email }, onClose }: { member: TeamMember; onClose: () => void }) {
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'PATCH', body: { disabled: true } })
    onClose()
    showToast(m.team_accountDisabled(), email)
  }

  return (
    <ConfirmDialog
      title={m.team_disable({ email })}
      typed={null}
      confirmLabel={m.team_disableAccount()}
      cancelLabel={m.team_keepAccount()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>{m.team_theyAreSignedOut()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
