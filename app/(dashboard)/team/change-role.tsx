'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { Role } from '@/lib/api-contract/permission'
import type { TeamMember } from '@/lib/domain/accounts'
import { roleNames } from '@/lib/domain/roles'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

type ChangeRoleProps = { member: TeamMember; isSelf: boolean; role: Role; onClose: () => void }

/** Confirms changing a member's role, and says what the new one may do. */
export function ChangeRole({ member, isSelf, role, onClose }: ChangeRoleProps) {
  const { userId, email } = member
  const router = useRouter()
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'PATCH', body: { role } })
    onClose()
    // The shell says what one's own role is now.
    if (isSelf) router.refresh()
    else showToast(m.team_roleChanged(), email)
  }

  return (
    <ConfirmDialog
      title={m.team_changeRoleOf({ email, from: roleNames[member.role].name(), to: roleNames[role].name() })}
      typed={null}
      confirmLabel={m.team_changeRole()}
      cancelLabel={m.team_keepRole()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>
        {(isSelf ? m.team_yoursFromNextRequest : m.team_fromNextRequest)({
          role: roleNames[role].name(),
          about: roleNames[role].about(),
        })}
        {member.isRoleProvided ? ` ${m.team_providerSetsTheRole()}` : ''}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
