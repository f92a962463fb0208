'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { cancellationWatch } from '@/lib/browser/cancellations'
import { patchRows } from '@/lib/browser/list-query'
import type { Proofs } from '@/lib/contract/ability'
import type { Payment } from '@/lib/contract/payments'
import type { RowList } from '../data-table/use-row-list'

/**
 * Learns which cancellations are on their way, and reads a payment again when its own has ended, so that its row
 * says what the service says now.
 */
export function useListedCancellations(list: RowList<Payment>, proofs: Proofs): void {
  const client = useQueryClient()

  useEffect(() => {
    // What others, or an earlier visit, have started; without an answer the rows simply show less.
    cancellationWatch.loadOpen().catch(() => undefined)
  }, [])

  const readAgain = useEffectEvent(async (id: string, signal: AbortSignal): Promise<void> => {
    if (list.get(id) === undefined) return
    if (proofs['eq:id'] !== true) {
      const page = await list.readPage(list.offsetOf(id), signal)
      return patchRows(client, 'listPayments', page.results)
    }
    const { findPayment } = await import('@/lib/browser/find-payment')
    const finding = await findPayment(id, { proofs, signal })
    if (finding.kind === 'found') patchRows(client, 'listPayments', [finding.payment])
  })

  useEffect(() => {
    const request = new AbortController()
    const stop = cancellationWatch.onClosed(({ paymentId }) => {
      // The outcome is known and shown; without this read only the row's state is older than it.
      readAgain(paymentId, request.signal).catch(() => undefined)
    })
    return () => {
      stop()
      request.abort()
    }
  }, [])
}
