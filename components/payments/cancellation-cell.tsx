'use client'

import { createContext, use } from 'react'
import { useCancellation } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { outcomeWords } from '@/lib/format/outcome'
import * as words from '@/lib/words/payments'
import { useDeskFacts } from '../desk-facts'
import { preloadCancelDialog } from './cancel-button'
import { askToCancel } from './cancel-requests'
import { explainNotCancellable } from './explain-cancel'
import { OutcomeBadge } from './outcome-badge'

/** Whether the reader's role carries `cancel`; around a list of payments. */
export const MayCancel = createContext(false)

/** What became of a payment's cancellation, else the button that asks for one, by the one dialog beside the list. */
export function CancellationCell({ payment }: { payment: Payment }) {
  const { cancelled, cancellable } = useDeskFacts().states
  const mayCancel = use(MayCancel)
  const view = useCancellation(payment.id)
  if (view?.outcome === 'cancelled' && cancelled.includes(payment.status?.trim().toLowerCase() ?? ''))
    // Said by the state's badge already; the outcome stays for readers of the row.
    return (
      <span data-outcome="cancelled" className="sr-only">
        {outcomeWords.cancelled}
      </span>
    )
  if (view) return <OutcomeBadge view={view} />
  if (!mayCancel || explainNotCancellable(payment, cancellable, null)) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className="dt-action"
      aria-label={`Cancel payment ${payment.reference || payment.handle || payment.id || ''}`}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => askToCancel(payment, currentTarget)}
      onPointerEnter={preloadCancelDialog}
      onFocus={preloadCancelDialog}
    >
      {words.cancel}
    </button>
  )
}
