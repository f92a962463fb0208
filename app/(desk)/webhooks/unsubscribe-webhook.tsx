'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { tellDone } from '@/components/notices/tell-done'
import { Said } from '@/components/said'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import { call } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import * as words from '@/lib/words/webhooks'

type UnsubscribeWebhookProps = { address: string; isOwn: boolean; onClose: () => void }

/** Asks before a callback address is removed; exactly the address that the service named is sent. */
export function UnsubscribeWebhook({ address, isOwn, onClose }: UnsubscribeWebhookProps) {
  const router = useRouter()

  async function run(): Promise<void> {
    try {
      await call('unsubscribeWebhook', { body: { webhookUrl: address } })
    } catch (error) {
      // Gone is what was asked for, whoever did it.
      if (!(error instanceof CallError && error.code === 'not-found')) throw error
    }
    onClose()
    tellDone(words.unsubscribed, address)
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={words.unsubscribeThisAddress}
      typed={null}
      action={words.unsubscribe}
      keep={words.keepSubscription}
      run={run}
      onClose={onClose}
    >
      <p className="rounded-lg border border-line bg-canvas px-4 py-3 font-medium">
        <Said>{address}</Said>
      </p>
      <AlertDialogWords>
        {words.serviceStopsReportingChanges} {isOwn ? words.whatArrivedInTheInbox : words.whateverListensThereWillHear}
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
