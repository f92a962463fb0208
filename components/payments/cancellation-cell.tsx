import type { ReactNode } from 'react'
import type { Payment } from '@/lib/contract/payments'
import { outcomeWords } from '@/lib/format/outcome'
import * as words from '@/lib/words/payments'
import type { CellFacts } from '../data-table/cell-facts'
import { preloadCancelDialog } from './cancel-button'
import { askToCancel } from './cancel-requests'
import { explainNotCancellable } from './explain-cancel'
import { outcomeBadge } from './outcome-badge'

/** What became of a payment's cancellation, else the button that asks for one. */
export function cancellationCell(
  payment: Payment,
  { mayCancel, cancellable, cancelled, findCancellation }: CellFacts,
): ReactNode {
  const view = findCancellation(payment.id)
  if (view?.outcome === 'cancelled' && cancelled.includes(payment.status?.trim().toLowerCase() ?? ''))
    // Said by the state's badge already; the outcome stays for readers of the row.
    return (
      <span data-outcome="cancelled" className="sr-only">
        {outcomeWords.cancelled}
      </span>
    )
  if (view) return outcomeBadge(view)
  if (!mayCancel || explainNotCancellable(payment, cancellable, null)) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className="dt-action"
      aria-label={`Cancel payment ${payment.reference || payment.handle || payment.id || ''}`}
      aria-haspopup="dialog"
      data-act=""
    >
      {words.cancel}
    </button>
  )
}

/** What that button does: it asks, by the one dialog beside the list. */
export const cancelling = { prepare: preloadCancelDialog, run: askToCancel }
