'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import * as words from '@/lib/words/webhooks'

type RenewAddressProps = { isSubscribed: boolean | null; run: () => Promise<void>; onClose: () => void }

/** Confirms a new inbox address. */
export function RenewAddress({ isSubscribed, run, onClose }: RenewAddressProps) {
  return (
    <ConfirmDialog
      title={words.renewTheAddress}
      typed={null}
      confirmLabel={words.renewAddress}
      cancelLabel={words.keepAddress}
      run={run}
      onClose={onClose}
    >
      <AlertDialogDescription>
        {words.nothingIsTaken} {isSubscribed ? words.serviceIsToldTheNew : words.serviceDoesNotReport}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
