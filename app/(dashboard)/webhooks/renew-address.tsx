'use client'

import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import * as words from '@/lib/words/webhooks'

type RenewAddressProps = { isSubscribed: boolean | null; run: () => Promise<void>; onClose: () => void }

/** Confirms a new inbox address. */
export function RenewAddress({ isSubscribed, run, onClose }: RenewAddressProps) {
  return (
    <ConfirmDialog
      title={words.renewTheAddress}
      typed={null}
      action={words.renewAddress}
      keep={words.keepAddress}
      run={run}
      onClose={onClose}
    >
      <AlertDialogWords>
        {words.nothingIsTaken} {isSubscribed ? words.serviceIsToldTheNew : words.serviceDoesNotReport}
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
