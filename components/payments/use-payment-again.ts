import { useEffect, useEffectEvent, useRef, useState } from 'react'
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

/**
 * Reads a payment when a cancellation of it closes, and with `isDue` at once. Returns what reads it at any other time. A
 * reading gives up the one before, and the last one ends with the page.
 */
function useReadOnceClosed(
  id: string | null,
  proofs: CapabilityProofs,
  onRead: (payment: Payment) => void,
  isDue = false,
): () => Promise<void> {
  const request = useRef<AbortController | null>(null)
  const read = async () => {
    if (id === null) return
    request.current?.abort()
    const own = new AbortController()
    request.current = own
    const payment = await readPayment(id, proofs, own.signal)
    if (payment) onRead(payment)
  }
  const readNow = useEffectEvent(read)
  useEffect(() => {
    if (id === null) return undefined
    const again = createReadAgain(() => readNow(), INTERVAL_MS)
    if (isDue) again.request()
    const stop = cancellationWatch.onClosed(({ paymentId }) => {
      if (isSameId(paymentId, id)) again.request()
    })
    return () => {
      stop()
      again.stop()
      request.current?.abort()
    }
  }, [id, isDue])
  return read
}

/** Reads a payment again when a cancellation of it closes; until then, and where that fails, an older state is shown. */
export function usePaymentAgain(id: string | null, proofs: CapabilityProofs, onRead: (payment: Payment) => void): void {
  useReadOnceClosed(id, proofs, onRead)
}

/** Between two reads of a payment that webhooks tell of, with one request and where the whole list may have to be read. */
const TOLD_INTERVAL_MS = 15_000
const TOLD_WALK_INTERVAL_MS = 60_000

/** What pages have begun with: after Back, Next begins with the same again. */
const shownBefore = new WeakSet<Payment>()

/** As usePaymentAgain, and also when a webhook tells of the payment, and at once where the page was left and is back. */
export function useFollowedPayment(
  loaded: Payment,
  proofs: CapabilityProofs,
  onRead: (payment: Payment) => void,
): void {
  const { id } = loaded
  const [isBack] = useState(() => shownBefore.has(loaded))
  useEffect(() => void shownBefore.add(loaded), [loaded])
  const read = useReadOnceClosed(id, proofs, onRead, isBack)
  useReadAgain(['payment'], read, {
    ids: id === null ? [] : [id],
    countsLoad: false,
    intervalMs: proofs['eq:id'] === true ? TOLD_INTERVAL_MS : TOLD_WALK_INTERVAL_MS,
  })
}
