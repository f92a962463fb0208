'use client'

import { createContext, useContext } from 'react'
import { useDeskFacts } from '@/components/desk-facts'
import { preloadCancelDialog } from '@/components/payments/cancel-button'
import { askToCancel } from '@/components/payments/cancel-requests'
import { explainNotCancellable } from '@/components/payments/explain-cancel'
import { OutcomeBadge } from '@/components/payments/outcome-badge'
import { useCancellation } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { outcomeWords } from '@/lib/format/outcome'
import * as words from '@/lib/words/payments'

/** Whether the user's role carries `cancel`. */
export const MayCancel = createContext(false)

/** What became of a payment's cancellation, else the button that asks for one. */
export function CancellationCell({ payment }: { payment: Payment }) {
  const mayCancel = useContext(MayCancel)
  const { states } = useDeskFacts()
  const view = useCancellation(payment.id)
  if (view) {
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
  if (!mayCancel || explainNotCancellable(payment, states.cancellable, view)) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className="dt-action"
      aria-label={`Cancel payment ${payment.reference || payment.handle || payment.id || ''}`}
      aria-haspopup="dialog"
      onPointerEnter={preloadCancelDialog}
      onFocus={preloadCancelDialog}
      onClick={(event) => askToCancel(payment, event.currentTarget)}
    >
      {words.cancel}
    </button>
  )
}
