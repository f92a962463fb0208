'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { TeamMember } from '@/lib/domain/accounts'
import * as words from '@/lib/words/team'
import { useTeamChange } from './use-team'

/** Confirms disabling an account. */
export function DisableMember({ member: { userId, email }, onClose }: { member: TeamMember; onClose: () => void }) {
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'PATCH', body: { disabled: true } })
    onClose()
    showToast(words.accountDisabled, email)
  }

  return (
    <ConfirmDialog
      title={words.disable(email)}
      typed={null}
      confirmLabel={words.disableAccount}
      cancelLabel={words.keepAccount}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>{words.theyAreSignedOut}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
