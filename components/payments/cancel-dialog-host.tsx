'use client'

import { useEffect } from 'react'
import { cancellationWatch } from '@/lib/browser/cancellations'
import type { Payment } from '@/lib/contract/payments'
import { notLoaded } from '@/lib/words/shell-controls'
import { useLoaded } from '../use-loaded'
import { stopAsking, useAskedPayment } from './cancel-requests'

const loadDialog = async () => (await import('./cancel-dialog')).CancelDialog

/** Finds where the focus belongs: at the button that asked, or at its row where the outcome takes the button's place. */
function findRow(opener: HTMLElement | null, payment: Payment): HTMLElement | null {
  const isAnswered = payment.id !== null && cancellationWatch.get(payment.id) !== null
  // The elements of a row may have become those of another.
  const isOfRow = opener?.closest<HTMLElement>('[data-row-id]')?.dataset.rowId === (payment.id ?? '')
  if (opener?.isConnected && isOfRow && !isAnswered) return opener
  const row = payment.id ? document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(payment.id)}"]`) : null
  return row ?? document.querySelector<HTMLElement>('[role="grid"]')
}

/** Holds the cancel dialog for the rows of a list (see `askToCancel`); stands once beside the list. */
export function CancelDialogHost({ onPaymentRead }: { onPaymentRead: (payment: Payment) => void }) {
  const asked = useAskedPayment()
  const { part: Dialog, failed } = useLoaded(asked !== null, loadDialog)

  useEffect(() => stopAsking, [])

  if (!asked) return null
  if (failed) {
    return (
      <p role="alert" className="corner-note">
        {notLoaded}
      </p>
    )
  }
  if (!Dialog) return null
  return (
    <Dialog
      key={asked.payment.id}
      payment={asked.payment}
      onClose={stopAsking}
      onPaymentRead={onPaymentRead}
      finalFocus={() => findRow(asked.opener, asked.payment)}
    />
  )
}
