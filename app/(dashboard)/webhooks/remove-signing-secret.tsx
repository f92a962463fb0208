'use client'

import { useRef } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import type { InboxView } from '@/lib/domain/webhooks'
import * as m from '@/lib/messages/m'

type RemoveSigningSecretProps = {
  onRemoved: (view: InboxView) => Promise<void>
  onClose: () => void
  /** What is focused once the secret is removed, and the pressed button with it. */
  focusAfter: () => HTMLElement | null
}

/** Confirms removing the inbox's signing secret, which nobody can read back. */
export function RemoveSigningSecret({ onRemoved, onClose, focusAfter }: RemoveSigningSecretProps) {
  const isRemoved = useRef(false)

  async function run(): Promise<void> {
    const view = await retryAfterStepUp(() => callDesk<InboxView>('/inbox/signing-secret', { method: 'DELETE' }))
    isRemoved.current = true
    await onRemoved(view)
    onClose()
    showToast(m.webhooks_signingSecretRemoved())
  }

  return (
    <ConfirmDialog
      title={m.webhooks_removeTheSigningSecret()}
      typed={null}
      confirmLabel={m.webhooks_removeSigningSecret()}
      cancelLabel={m.webhooks_keepSigningSecret()}
      run={run}
      onClose={onClose}
      finalFocus={() => (isRemoved.current ? focusAfter() : null)}
    >
      <AlertDialogDescription>{m.webhooks_removedSecretIsNotShown()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
