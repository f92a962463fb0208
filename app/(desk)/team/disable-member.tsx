'use client'

import { ConfirmDialog } from '@/components/confirm-dialog'
import { tellDone } from '@/components/notices/tell-done'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import type { TeamMember } from '@/lib/contract/team'
import { useTeamChange } from './use-team'

/** Asks before an account is closed. */
export function DisableMember({ member: { userId, email }, onClose }: { member: TeamMember; onClose: () => void }) {
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'PATCH', body: { disabled: true } })
    onClose()
    tellDone('Account disabled', email)
  }

  return (
    <ConfirmDialog
      title={`Disable ${email}?`}
      typed={null}
      action="Disable account"
      keep="Keep account"
      run={run}
      onClose={onClose}
    >
      <AlertDialogWords>
        They are signed out at once, everywhere, and cannot sign in until an admin enables the account again. What they
        did stays in the activity log.
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
