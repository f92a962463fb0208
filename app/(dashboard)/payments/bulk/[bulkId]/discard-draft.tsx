'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { Button } from '@/components/ui/button'
import { forgetText } from '@/lib/client/kept-text'
import { withMerchantParam } from '@/lib/client/page-context'
import { useDiscard } from './use-bulk'
import * as m from '@/lib/messages/m'

/** Deletes a list that was never started, and goes back to the others. */
export function DiscardDraft({ bulkId }: { bulkId: string }) {
  const router = useRouter()
  const discard = useDiscard(bulkId)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button tone="quiet-danger" onClick={() => setAsking(true)}>
        {m.bulkCancellation_discardDraft()}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={m.bulkCancellation_discardThisDraft()}
          typed={null}
          confirmLabel={m.bulkCancellation_discardDraft()}
          cancelLabel={m.bulkCancellation_keepDraft()}
          run={async () => {
            await discard.mutateAsync()
            forgetText(`reasons ${bulkId}`)
            forgetText(`reason ${bulkId}`)
            showToast(m.bulkCancellation_draftDiscarded())
            router.push(withMerchantParam('/payments/bulk'))
          }}
          onClose={() => setAsking(false)}
        >
          <p className="text-ink-soft">{m.bulkCancellation_nothingWasSent()}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
