'use client'

import { createContext, useContext } from 'react'
import { useDeskFacts } from '../desk-facts'
import { preloadCancelDialog } from './cancel-button'
import { askToCancel } from './cancel-requests'
import { explainNotCancellable } from './explain-cancel'
import { OutcomeCell } from './outcome-cell'
import type { Payment } from '@/lib/contract/payments'
import * as words from '@/lib/words/payments'

/** Whether the user's role carries `cancel`. */
export const MayCancel = createContext(false)

/** What became of a payment's cancellation, else the button that asks for one. */
export function CancellationCell({ payment }: { payment: Payment }) {
  const mayCancel = useContext(MayCancel)
  const { states } = useDeskFacts()
  return (
    <OutcomeCell payment={payment}>
      {!mayCancel || explainNotCancellable(payment, states.cancellable, null) ? null : (
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
      )}
    </OutcomeCell>
  )
}
