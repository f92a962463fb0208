'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import * as m from '@/lib/messages/m'

type RenewAddressProps = {
  hasSecret: boolean
  isSubscribed: boolean | null
  run: () => Promise<void>
  onClose: () => void
}

/** Confirms a new inbox address. `isSubscribed`: whether the old one is; null where the list can't be read wholly. */
export function RenewAddress({ hasSecret, isSubscribed, run, onClose }: RenewAddressProps) {
  return (
    <ConfirmDialog
      title={m.webhooks_renewTheAddress()}
      typed={null}
      confirmLabel={m.webhooks_renewAddress()}
      cancelLabel={m.webhooks_keepAddress()}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>
        {m.webhooks_nothingIsTaken()}{' '}
        {isSubscribed === null
          ? m.webhooks_serviceIsAskedFirst()
          : isSubscribed
            ? m.webhooks_serviceIsToldTheNew()
            : m.webhooks_serviceDoesNotReport()}
        {hasSecret ? ` ${m.webhooks_signingSecretStays()}` : null}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
