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
import * as words from '@/lib/words/agreement'

type DeleteAgreementProps = { agreement: Agreement & { id: string }; onClose: () => void }

/** Asks before an agreement is deleted; unless it is a test one, its handle has to be typed. */
export function DeleteAgreement({ agreement, onClose }: DeleteAgreementProps) {
  const { id, handle, scheme, status, test } = agreement
  const router = useRouter()

  async function run(): Promise<void> {
    await callDesk(`/agreements/${encodeURIComponent(id)}`, { method: 'DELETE' })
    tellDone(words.agreementDeleted, handle ? showInvisible(handle) : undefined)
    router.replace(keepMerchant('/agreements'))
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={
        <>
          {words.deleteAgreement} <Said>{handle || id}</Said>
        </>
      }
      typed={test === true ? null : { label: handle ? words.handle : words.agreementId, anyOf: [handle?.trim() || id] }}
      action={words.deleteAgreement}
      keep={words.keepAgreement}
      run={run}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-canvas px-4 py-3">
        <span className="font-semibold">
          <Said>{scheme || words.schemeNotSaid}</Said>
        </span>
        <span className="text-ink-soft">{status ? <Said>{status}</Said> : words.stateNotSaid}</span>
        {test === false ? <span className="font-medium">{words.live}</span> : <TestBadge test={test} />}
      </div>
      <AlertDialogWords>{words.thisCannotBeTakenBack}</AlertDialogWords>
    </ConfirmDialog>
  )
}
