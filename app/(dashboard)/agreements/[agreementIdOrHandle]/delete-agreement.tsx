'use client'

import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { SchemeName, TestBadge } from '@/components/payments/badges'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { withMerchantParam } from '@/lib/client/page-context'
import { callDesk } from '@/lib/client/api-client'
import type { Agreement } from '@/lib/api-contract/agreements'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { describeState } from '@/lib/domain/states'
import * as m from '@/lib/messages/m'

type DeleteAgreementProps = { agreement: Agreement & { id: string }; onClose: () => void }

/** Confirms the deletion of an agreement; unless it is a test one, its handle must be typed. */
export function DeleteAgreement({ agreement, onClose }: DeleteAgreementProps) {
  const { id, handle, scheme, status, test } = agreement
  const router = useRouter()

  async function run(): Promise<void> {
    await callDesk(`/agreements/${encodeURIComponent(id)}`, { method: 'DELETE' })
    showToast(m.agreement_agreementDeleted(), handle ? escapeInvisible(handle) : undefined)
    router.replace(withMerchantParam('/agreements'))
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={
        <>
          {m.agreement_deleteAgreement()} <UntrustedText>{handle || id}</UntrustedText>
        </>
      }
      typed={
        test === true
          ? null
          : { label: handle ? m.agreement_handle() : m.agreement_agreementId(), anyOf: [handle?.trim() || id] }
      }
      confirmLabel={m.agreement_deleteAgreement()}
      cancelLabel={m.agreement_keepAgreement()}
      run={run}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-canvas px-4 py-3">
        <span className="font-semibold">{scheme ? <SchemeName code={scheme} /> : m.agreement_schemeNotSaid()}</span>
        <span className="text-ink-soft">
          {status ? <UntrustedText>{describeState(status)}</UntrustedText> : m.agreement_stateNotSaid()}
        </span>
        {test === false ? <span className="font-medium">{m.agreement_live()}</span> : <TestBadge test={test} />}
      </div>
      <AlertDialogDescription>{m.agreement_thisCannotBeTakenBack()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}
