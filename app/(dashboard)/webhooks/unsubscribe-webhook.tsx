'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { acceptGone, callEndpoint } from '@/lib/client/api-client'
import * as m from '@/lib/messages/m'

type UnsubscribeWebhookProps = { address: string; isOwn: boolean; onClose: () => void }

/** Confirms removing a callback URL; exactly the URL listed by the API is sent. */
export function UnsubscribeWebhook({ address, isOwn, onClose }: UnsubscribeWebhookProps) {
  const router = useRouter()

  async function run(): Promise<void> {
    await callEndpoint('unsubscribeWebhook', { body: { webhookUrl: address } }).catch(acceptGone)
    onClose()
    showToast(m.webhooks_unsubscribed(), address)
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={m.webhooks_unsubscribeThisAddress()}
      typed={null}
      confirmLabel={m.webhooks_unsubscribe()}
      cancelLabel={m.webhooks_keepSubscription()}
      run={run}
      onClose={onClose}
    >
      <p className="rounded-lg border border-line bg-canvas px-4 py-3 font-medium">
        <UntrustedText>{address}</UntrustedText>
      </p>
      <AlertDialogDescription>
        {m.webhooks_serviceStopsReportingChanges()}{' '}
        {isOwn ? m.webhooks_whatArrivedInTheInbox() : m.webhooks_whateverListensThereWillHear()}
      </AlertDialogDescription>
    </ConfirmDialog>
  )
}
