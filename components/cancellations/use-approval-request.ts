'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { beginBulk } from '../payments/bulk-request'
import * as m from '@/lib/messages/m'

/** Makes a list of one payment, which a second person is then asked to approve, and opens it. */
export function useApprovalRequest({ id, reference, handle }: Payment, reason: string, onDone: () => void) {
  const router = useRouter()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function begin(): Promise<void> {
    if (isPending || id === null) return
    setPending(true)
    setError(null)
    try {
      const name = m.approval_listName({ name: (reference || handle || id).slice(0, 150) })
      const address = await beginBulk({ kind: 'list', name, rows: [{ given: id, reason }] })
      onDone()
      router.push(address)
    } catch (thrown) {
      setError(thrown)
      setPending(false)
    }
  }

  return { begin, isPending, error }
}
