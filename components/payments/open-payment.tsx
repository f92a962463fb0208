'use client'

import { useQueryClient } from '@tanstack/react-query'
import { use, useCallback, useEffect, useState } from 'react'
import { MayCancel } from '@/components/cancellations/row-cancellation'
import type { SidePanelProps } from '@/components/data-table/data-table'
import type { Payment } from '@/lib/api-contract/payments'
import { patchRows } from '@/lib/client/list-queries'
import { rememberPageOffset } from '@/lib/client/page-context'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { NotLoaded } from './not-loaded'
import { PaymentSheet } from './payment-sheet'
import { usePaymentAgain } from './use-payment-again'

const loadLookup = async () => (await import('./payment-lookup')).PaymentLookup

export type OpenPaymentProps = Pick<
  SidePanelProps<'listPayments'>,
  'list' | 'proofs' | 'moves' | 'findHeir' | 'close'
> & {
  id: string
  /** Whether the API is asked for a filter or an order: an offset there is none of the plain list. */
  isFiltered: boolean
}

/** The payment in the URL: from the list, or looked up. */
export function OpenPayment(props: OpenPaymentProps) {
  const { id, isFiltered, list, proofs, moves, findHeir, close } = props
  const client = useQueryClient()
  const mayCancel = use(MayCancel)
  const loaded = list.get(id) ?? null
  const [known, setKnown] = useState({ id, last: loaded })
  // The list may be replaced (a capability was proven, a filter changed): the open payment stays.
  if (known.id !== id || (loaded && loaded !== known.last)) setKnown({ id, last: loaded })
  const payment = loaded ?? (known.id === id ? known.last : null)
  const keep = useCallback((last: Payment) => setKnown({ id, last }), [id])
  const offset = loaded && !isFiltered ? (list.offsetOf(id) ?? undefined) : undefined

  useEffect(() => rememberPageOffset(id, offset), [id, offset])

  const updatePayment = useCallback(
    (updated: Payment) => {
      keep(updated)
      patchRows(client, 'listPayments', [updated])
    },
    [client, keep],
  )
  // A loaded row is read again by its list. The address may name the payment by its handle.
  usePaymentAgain(loaded ? null : (payment?.id ?? id), proofs, updatePayment)
  const { part: PaymentLookup, failed } = useLazyModule(payment === null, loadLookup)
  if (!payment) {
    if (failed) return <NotLoaded />
    return PaymentLookup ? <PaymentLookup key={id} id={id} proofs={proofs} onFound={keep} onClose={close} /> : null
  }
  return <PaymentSheet {...{ payment, mayCancel, moves, findHeir }} onClose={close} onPaymentRead={updatePayment} />
}
