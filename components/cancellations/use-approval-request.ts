'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useLeaveWatch } from '@/lib/client/navigations'
import type { Payment } from '@/lib/api-contract/payments'
import { chooseProblemDisplay, toProblemInfo } from '../feedback/problem-display'
import { showErrorToast } from '../feedback/toast-store'
import { beginBulk } from '../payments/bulk-request'
import * as m from '@/lib/messages/m'

type Options = { reason: string; label: string; onAsked: () => void; onDone: () => void }

/**
 * Makes a list of one payment, which a second person is then asked to approve, and opens it, unless the user has left
 * meanwhile.
 */
export function useApprovalRequest({ id, reference, handle }: Payment, { reason, label, onAsked, onDone }: Options) {
  const router = useRouter()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const watch = useLeaveWatch()

  async function begin(): Promise<void> {
    if (isPending || id === null) return
    const hasLeft = watch()
    setPending(true)
    setError(null)
    try {
      const name = m.approval_listName({ name: (reference || handle || id).slice(0, 150) })
      const address = await beginBulk({ kind: 'list', name, rows: [{ given: id, reason }] })
      // Nobody is asked before the list is confirmed on its page.
      if (hasLeft()) {
        setPending(false)
        return showErrorToast(m.approval_notRequestedLeft({ payment: label }), m.approval_listWaits(), {
          link: { name: m.approval_openList(), href: address },
        })
      }
      onAsked()
      onDone()
      router.push(address)
    } catch (thrown) {
      setError(thrown)
      setPending(false)
      if (hasLeft()) {
        const { title } = chooseProblemDisplay(toProblemInfo(thrown))
        showErrorToast(m.cancelling_nothingSentLeft({ payment: label }), title)
      }
    }
  }

  return { begin, isPending, error }
}
