'use client'

import type { Payment } from '@/lib/contract/payments'
import { notLoaded } from '@/lib/words/shell-controls'
import { useLoaded } from '../use-loaded'

const loadSheet = async () => (await import('./payment-sheet')).PaymentSheet

export type PaymentPanelProps = {
  payment: Payment
  /** Whether the user's role carries `cancel`. */
  mayCancel: boolean
  onClose: () => void
  /** Called with the payment as it turned out to be, when the desk had to read it again. */
  onPaymentRead: (payment: Payment) => void
}

/** One payment beside the list, which stays usable; on a phone a sheet over it. */
export function PaymentPanel(props: PaymentPanelProps) {
  const { part: Sheet, failed } = useLoaded(true, loadSheet)
  if (Sheet) return <Sheet {...props} />
  if (!failed) return null
  return (
    <p role="alert" className="corner-note">
      {notLoaded}
    </p>
  )
}
