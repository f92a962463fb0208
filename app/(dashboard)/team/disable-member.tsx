'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
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
      action={words.disableAccount}
      keep={words.keepAccount}
      run={run}
      onClose={onClose}
    >
      <AlertDialogWords>{words.theyAreSignedOut}</AlertDialogWords>
    </ConfirmDialog>
  )
}
