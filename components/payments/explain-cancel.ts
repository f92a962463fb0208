import type { CancellationView } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'

/**
 * Why a payment cannot be cancelled, in words for the button that would; null when it can. `cancellable` are
 * states in lower case. The server decides again, from a fresh read.
 */
export function explainNotCancellable(
  payment: Payment,
  cancellable: readonly string[],
  view: CancellationView | null,
): string | null {
  if (!payment.id) return 'The service gave this payment no id.'
  if (view && !view.closed) return 'A cancellation is already on its way.'
  if (view?.outcome === 'cancelled') return 'This payment is cancelled.'
  if (!payment.status) return 'The service did not say which state this payment is in.'
  if (cancellable.includes(payment.status.trim().toLowerCase())) return null
  return `A payment in the state ${payment.status} cannot be cancelled.`
}
