'use client'

import { useEffect, useEffectEvent } from 'react'
import { SheetHead, SideSheet } from '@/components/ui/side-sheet'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { Payment } from '@/lib/api-contract/payments'
import { LookupStatus, usePaymentLookup } from './lookup-status'
import * as m from '@/lib/messages/m'

type PaymentLookupProps = {
  id: string
  proofs: CapabilityProofs
  onFound: (payment: Payment) => void
  onClose: () => void
}

/** Looks up the payment in the URL that the list has not loaded, in the side panel. */
export function PaymentLookup({ id, proofs, onFound, onClose }: PaymentLookupProps) {
  const { lookup, retry } = usePaymentLookup(id, proofs)
  const payment = lookup.kind === 'found' ? lookup.payment : null
  const notifyFound = useEffectEvent(onFound)

  useEffect(() => {
    if (payment) notifyFound(payment)
  }, [payment])

  return (
    <SideSheet onClose={onClose}>
      <SheetHead title={m.paymentLookup_panel()} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <LookupStatus lookup={lookup} onAgain={retry} />
      </div>
    </SideSheet>
  )
}
