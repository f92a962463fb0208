'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { tellDone } from '@/components/notices/tell-done'
import { TestBadge } from '@/components/payments/test-badge'
import { Said } from '@/components/said'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { callDesk } from '@/lib/browser/call'
import type { Agreement } from '@/lib/contract/agreements'
import { showInvisible } from '@/lib/format/show-invisible'

type DeleteAgreementProps = { agreement: Agreement & { id: string }; onClose: () => void }

/** Asks before an agreement is deleted; unless it is a test one, its handle has to be typed. */
export function DeleteAgreement({ agreement, onClose }: DeleteAgreementProps) {
  const { id, handle, scheme, status, test } = agreement
  const router = useRouter()

  async function run(): Promise<void> {
    await callDesk(`/agreements/${encodeURIComponent(id)}`, { method: 'DELETE' })
    tellDone('Agreement deleted', handle ? showInvisible(handle) : undefined)
    router.replace(keepMerchant('/agreements'))
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={
        <>
          Delete agreement <Said>{handle || id}</Said>
        </>
      }
      typed={test === true ? null : { label: handle ? 'Handle' : 'Agreement id', anyOf: [handle?.trim() || id] }}
      action="Delete agreement"
      keep="Keep agreement"
      run={run}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-canvas px-4 py-3">
        <span className="font-semibold">
          <Said>{scheme || 'Scheme not said'}</Said>
        </span>
        <span className="text-ink-soft">{status ? <Said>{status}</Said> : 'State not said'}</span>
        {test === false ? <span className="font-medium">Live</span> : <TestBadge test={test} />}
      </div>
      <AlertDialogWords>
        This cannot be taken back. Nothing can be collected through it any more; the service may refuse while payments
        are still to be collected.
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
