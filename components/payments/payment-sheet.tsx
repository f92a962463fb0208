'use client'

import { Maximize2 } from 'lucide-react'
import { useEffect } from 'react'
import { cancellationWatch, useCancellation } from '@/lib/browser/cancellations'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/payment-details'
import { ActivitySlice } from '../activity/activity-slice'
import { Amount } from '../amount'
import { Said } from '../said'
import { SheetHead, SideSheet, sheetButton } from '../ui/side-sheet'
import { PaymentDetails } from './payment-details'
import type { PaymentPanelProps } from './payment-panel'
import { SheetCancellation } from './sheet-cancellation'
import { StatusBadge } from './status-badge'
import { TestBadge } from './test-badge'
import { Link } from '../link'

/** The panel's content: who, how much, what can be done, what was done, and every field. */
export function PaymentSheet({ payment, mayCancel, onClose, onPaymentRead }: PaymentPanelProps) {
  const outcome = useCancellation(payment.id)?.outcome
  const page = writePageAddress('/payments', payment.id)

  useEffect(() => {
    // What an earlier visit or somebody else did; without an answer the panel simply shows less.
    if (payment.id) cancellationWatch.load([payment.id]).catch(() => undefined)
  }, [payment.id])

  return (
    <SideSheet onClose={onClose}>
      <SheetHead
        title={
          <>
            {words.payment} <Said>{payment.reference || payment.handle || payment.id || ''}</Said>
          </>
        }
      >
        {page ? (
          <Link href={page} aria-label={words.openAsAPage} title={words.openAsAPage} className={sheetButton}>
            <Maximize2 className="size-4" />
          </Link>
        ) : null}
      </SheetHead>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5 max-md:px-4">
        <p className="line-clamp-4 wrap-anywhere text-ink-soft">
          {payment.customer?.name ? <Said>{payment.customer.name}</Said> : words.payerNotNamed}
        </p>
        <Amount
          amount={payment.amount}
          currency={payment.currency}
          className="mt-0.5 block text-2xl font-semibold tracking-tight"
        />
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {/* What may change stands last: its width moves nothing. */}
          <TestBadge test={payment.test} />
          <StatusBadge status={payment.status} />
        </div>
        <SheetCancellation payment={payment} mayCancel={mayCancel} onPaymentRead={onPaymentRead} />
        <div className="mt-6">
          <PaymentDetails payment={payment} />
          <ActivitySlice kind="payment" ids={[payment.id]} at={outcome} />
        </div>
      </div>
    </SideSheet>
  )
}
