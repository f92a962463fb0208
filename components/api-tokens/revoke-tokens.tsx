'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import * as m from '@/lib/messages/m'

type RevokeTokensProps = {
  /** The token's name; null for all of the person's own. */
  name: string | null
  run: () => Promise<void>
  onClose: () => void
}

/** Confirms revoking a token, or all of one's own. */
export function RevokeTokens({ name, run, onClose }: RevokeTokensProps) {
  const isAll = name === null
  return (
    <ConfirmDialog
      title={isAll ? m.apiTokens_revokeAllTitle() : m.apiTokens_revokeTitle({ name })}
      typed={null}
      confirmLabel={isAll ? m.apiTokens_revokeAllConfirm() : m.apiTokens_revokeConfirm()}
      cancelLabel={isAll ? m.apiTokens_keepAll() : m.apiTokens_keep()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>{m.apiTokens_revokeAbout()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
