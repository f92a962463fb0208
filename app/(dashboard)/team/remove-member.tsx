'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { TeamMember } from '@/lib/domain/accounts'
import * as words from '@/lib/words/team'
import { useTeamChange } from './use-team'

/** Confirms removing a member from the team. */
export function RemoveMember({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const { userId, email, state } = member
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'DELETE' })
    onClose()
    showToast(words.removedFromTeam, email)
  }

  return (
    <ConfirmDialog
      title={words.remove(email)}
      typed={null}
      confirmLabel={words.removeFromTeam}
      cancelLabel={words.keepInTeam}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>
        {words.theyLoseThisMerchant}
        {state === 'provider' ? ` ${words.providerMayBringThemBack}` : ''}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
