'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import type { Role } from '@/lib/api-contract/permission'
import type { TeamMember } from '@/lib/domain/accounts'
import { roleNames } from '@/lib/domain/roles'
import { useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** Confirms changing a member's role, and says what the new one may do. */
export function ChangeRole({ member, role, onClose }: { member: TeamMember; role: Role; onClose: () => void }) {
  const { userId, email } = member
  const change = useTeamChange<unknown>()

  async function run(): Promise<void> {
    await change.mutateAsync({ path: `/team/${userId}`, method: 'PATCH', body: { role } })
    onClose()
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
        {m.team_fromNextRequest({ role: roleNames[role].name(), about: roleNames[role].about() })}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
