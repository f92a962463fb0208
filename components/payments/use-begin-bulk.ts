'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { chooseProblemDisplay, toProblemInfo } from '@/components/feedback/problem-display'
import { showErrorToast, showToast } from '@/components/feedback/toast-store'
import { useLeaveWatch } from '@/lib/client/navigations'
import type { BulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import * as m from '@/lib/messages/m'
import { beginBulk } from './bulk-request'

/**
 * Creates a bulk cancellation and opens its page, once `beforeOpening` is through; who leaves meanwhile stays where they
 * are, and is told.
 */
export function useBeginBulk(beforeOpening?: () => Promise<void>) {
  const router = useRouter()
  const watch = useLeaveWatch()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function begin(request: BulkRequest): Promise<void> {
    const hasLeft = watch()
    setSending(true)
    setError(null)
    try {
      const address = await beginBulk(request)
      if (!hasLeft()) {
        await beforeOpening?.()
        return router.push(address)
      }
      showToast(m.paymentSelection_listCreatedLeft(), m.bulkCancellation_nothingIsSentYet(), {
        link: { name: m.approval_openList(), href: address },
      })
    } catch (thrown) {
      setError(thrown)
      if (hasLeft()) {
        const { title } = chooseProblemDisplay(toProblemInfo(thrown))
        showErrorToast(m.paymentSelection_listNotCreatedLeft(), title)
      }
    }
    setSending(false)
  }

  return { begin, isSending, error, setError }
}
