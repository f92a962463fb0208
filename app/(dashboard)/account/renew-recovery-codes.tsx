'use client'

import { useRef } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { callSecondFactor, retryAfterStepUp } from '@/lib/client/api-client'
import * as m from '@/lib/messages/m'

type RenewRecoveryCodesProps = { onMade: (codes: readonly string[]) => void; onClose: () => void }

/** Confirms replacing the user's recovery codes. */
export function RenewRecoveryCodes({ onMade, onClose }: RenewRecoveryCodesProps) {
  const isMade = useRef(false)

  async function run(): Promise<void> {
    const path = '/recovery-codes'
    const made = await retryAfterStepUp(() => callSecondFactor<{ recoveryCodes: string[] }>(path, { method: 'POST' }))
    isMade.current = true
    onMade(made.recoveryCodes)
  }

  return (
    <ConfirmDialog
      title={m.secondFactor_renewQuestion()}
      typed={null}
      confirmLabel={m.secondFactor_renewNow()}
      cancelLabel={m.secondFactor_keepCodes()}
      run={run}
      onClose={onClose}
      // The new codes take the focus.
      finalFocus={() => (isMade.current ? false : null)}
    >
      <AlertDialogDescription>{m.secondFactor_renewAbout()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
