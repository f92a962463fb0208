'use client'

import { useEffect } from 'react'
import { cancellationWatch } from '@/lib/browser/cancellations'
import type { RowList } from '@/lib/browser/row-list'
import type { Proofs } from '@/lib/contract/ability'
import type { Payment } from '@/lib/contract/payments'

/**
 * Learns which cancellations are on their way, and reads a payment again when its own has ended, so that its row
 * says what the service says now.
 */
export function useListedCancellations(list: RowList<Payment>, proofs: Proofs): void {
  useEffect(() => {
    // What others, or an earlier visit, have started; without an answer the rows simply show less.
    cancellationWatch.loadOpen().catch(() => undefined)
  }, [])
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    async function read(id: string): Promise<void> {
      if (proofs['eq:id'] !== true) {
        await list.readAgain(id, signal)
        return
      }
      const { findPayment } = await import('@/lib/browser/find-payment')
      const finding = await findPayment(id, { proofs, signal })
      if (finding.kind === 'found') list.patch(finding.payment)
    }
    const stop = cancellationWatch.onClosed(({ paymentId }) => {
      // The outcome is known and shown; without this read only the row's state is older than it.
      if (list.rows.get(paymentId)) read(paymentId).catch(() => undefined)
    })
    return () => {
      stop()
      request.abort()
    }
  }, [list, proofs])
}
