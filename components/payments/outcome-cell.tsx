'use client'

import type { ReactNode } from 'react'
import { useCancellation } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { outcomeWords } from '@/lib/format/outcome'
import { useDeskFacts } from '../desk-facts'
import { OutcomeBadge } from './outcome-badge'

/** What became of a payment's cancellation; `children` stand where none is known. */
export function OutcomeCell({ payment, children = null }: { payment: Payment; children?: ReactNode }) {
  const { states } = useDeskFacts()
  const view = useCancellation(payment.id)
  if (!view) return children
  const isSaid = view.outcome === 'cancelled' && states.cancelled.includes(payment.status?.trim().toLowerCase() ?? '')
  // Said by the state's badge already; the outcome stays for readers of the row.
  return isSaid ? (
    <span data-outcome="cancelled" className="sr-only">
      {outcomeWords.cancelled}
    </span>
  ) : (
    <OutcomeBadge view={view} />
  )
}
