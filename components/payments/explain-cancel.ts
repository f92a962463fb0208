import type { CancellationView } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'
import * as words from '@/lib/words/cancel-button'

/**
 * Why a payment cannot be cancelled, in words for the button that would; null when it can. `cancellable` are
 * states in lower case. The server decides again, from a fresh read.
 */
export function explainNotCancellable(
  payment: Payment,
  cancellable: readonly string[],
  view: CancellationView | null,
): string | null {
  if (!payment.id) return words.noId
  if (view && !view.closed) return words.alreadyOpen
  if (view?.outcome === 'cancelled') return words.isCancelled
  if (!payment.status) return words.noState
  if (cancellable.includes(payment.status.trim().toLowerCase())) return null
  return words.notInState(payment.status)
}
