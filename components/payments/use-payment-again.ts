import { useEffect, useEffectEvent } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { cancellationWatch } from '@/lib/client/cancellations'
import { createReadAgain } from '@/lib/client/read-again'
import { useReadAgain } from '@/lib/client/use-live-changes'
import { isSameId } from '@/lib/domain/ids'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'

const INTERVAL_MS = 1_000

/** Reads a payment; null without an answer. Tried once where the whole list may have to be read for it. */
async function readPayment(id: string, proofs: CapabilityProofs, signal: AbortSignal): Promise<Payment | null> {
  const { findPayment } = await import('@/lib/client/find-payment')
  const finding = await findPayment(id, { proofs, signal, quiet: true }).catch((error: unknown) => {
    if (proofs['eq:id'] === true) throw error
    return null
  })
  return finding?.kind === 'found' && !signal.aborted ? finding.payment : null
}

/** Reads a payment again when a cancellation of it closes; until then, and where that fails, an older state is shown. */
export function usePaymentAgain(id: string | null, proofs: CapabilityProofs, onRead: (payment: Payment) => void): void {
  const read = useEffectEvent(async (paymentId: string, signal: AbortSignal) => {
    const payment = await readPayment(paymentId, proofs, signal)
    if (payment) onRead(payment)
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

/** Between two reads of a payment that webhooks tell of, with one request and where the whole list may have to be read. */
const TOLD_INTERVAL_MS = 15_000
const TOLD_WALK_INTERVAL_MS = 60_000

/** As usePaymentAgain, and also when a webhook tells of the payment. */
export function useFollowedPayment(
  id: string | null,
  proofs: CapabilityProofs,
  onRead: (payment: Payment) => void,
): void {
  usePaymentAgain(id, proofs, onRead)
  const read = async () => {
    const payment = id === null ? null : await readPayment(id, proofs, new AbortController().signal)
    if (payment) onRead(payment)
  }
  useReadAgain(['payment'], read, {
    ids: id === null ? [] : [id],
    countsLoad: false,
    intervalMs: proofs['eq:id'] === true ? TOLD_INTERVAL_MS : TOLD_WALK_INTERVAL_MS,
  })
}
