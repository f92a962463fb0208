import { useEffect, useEffectEvent } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { cancellationWatch } from '@/lib/client/cancellations'
import { createReadAgain } from '@/lib/client/read-again'
import { isSameId } from '@/lib/domain/ids'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'

const INTERVAL_MS = 1_000

/**
 * Reads a payment again when a cancellation of it closes; until then, and where that fails, an older state is shown. Tried
 * once where the whole list may have to be read for it.
 */
export function usePaymentAgain(id: string | null, proofs: CapabilityProofs, onRead: (payment: Payment) => void): void {
  const read = useEffectEvent(async (paymentId: string, signal: AbortSignal) => {
    const { findPayment } = await import('@/lib/client/find-payment')
    const finding = await findPayment(paymentId, { proofs, signal, quiet: true }).catch((error: unknown) => {
      if (proofs['eq:id'] === true) throw error
      return null
    })
    if (finding?.kind === 'found' && !signal.aborted) onRead(finding.payment)
  })

  useEffect(() => {
    if (id === null) return undefined
    const request = new AbortController()
    const again = createReadAgain(() => read(id, request.signal), INTERVAL_MS)
    const stop = cancellationWatch.onClosed(({ paymentId }) => {
      if (isSameId(paymentId, id)) again.request()
    })
    return () => {
      stop()
      again.stop()
      request.abort()
    }
  }, [id])
}
