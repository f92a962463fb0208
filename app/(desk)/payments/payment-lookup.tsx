'use client'

import { X } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { useEffect, useEffectEvent } from 'react'
import { Button } from '@/components/ui/button'
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
    <section
      aria-label={words.panel}
      className="fixed inset-y-0 right-0 z-20 w-full max-w-md overflow-y-auto bg-surface shadow-panel"
    >
      <div className="flex justify-end p-2">
        <Button tone="quiet" onClick={onClose} aria-label={words.closePanel}>
          <Icon icon={X} className="size-4.5" />
        </Button>
      </div>
      <LookupFace lookup={lookup} onAgain={again} />
    </section>
  )
}
