'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { useEffect, useEffectEvent } from 'react'
import { SideSheet } from '@/components/ui/side-sheet'
import type { Proofs } from '@/lib/contract/ability'
import type { Payment } from '@/lib/contract/payments'
import { LookupFace } from './lookup-face'
import { usePaymentLookup } from './use-payment-lookup'
import * as words from '@/lib/words/payment-lookup'

type PaymentLookupProps = { id: string; proofs: Proofs; onFound: (payment: Payment) => void; onClose: () => void }

/** Looks for the payment that the URL opens and the list does not have, beside the list. */
export function PaymentLookup({ id, proofs, onFound, onClose }: PaymentLookupProps) {
  const { lookup, again } = usePaymentLookup(id, proofs)
  const payment = lookup.kind === 'found' ? lookup.payment : null
  const tell = useEffectEvent(onFound)

  useEffect(() => {
    if (payment) tell(payment)
  }, [payment])

  return (
    <SideSheet onClose={onClose}>
      <div className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-6 max-md:pl-4">
        <Dialog.Title className="text-sm font-semibold">{words.panel}</Dialog.Title>
        <Dialog.Close
          aria-label={words.closePanel}
          className="inline-flex size-9 items-center justify-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink max-md:size-11"
        >
          <Icon icon={X} className="size-4.5" />
        </Dialog.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <LookupFace lookup={lookup} onAgain={again} />
      </div>
    </SideSheet>
  )
}
