'use client'

import { ConfirmDialog } from '@/components/confirm-dialog'
import { AlertDialogWords } from '@/components/ui/alert-dialog'

type RenewAddressProps = { isSubscribed: boolean | null; run: () => Promise<void>; onClose: () => void }

/** Asks before the inbox gets another address. */
export function RenewAddress({ isSubscribed, run, onClose }: RenewAddressProps) {
  return (
    <ConfirmDialog
      title="Renew the address of the inbox?"
      typed={null}
      action="Renew address"
      keep="Keep address"
      run={run}
      onClose={onClose}
    >
      <AlertDialogWords>
        Nothing is taken at the old address any more. What has arrived stays.{' '}
        {isSubscribed
          ? 'The service is told the new address, and then to forget the old one.'
          : 'The service does not report to it; the new one can be subscribed afterwards.'}
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
