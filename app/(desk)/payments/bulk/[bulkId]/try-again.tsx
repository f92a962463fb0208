'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { useCount } from '@/components/use-count'
import { beginBulk } from '@/lib/browser/begin-bulk'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { BulkResultRow } from '@/lib/contract/bulk'
import * as words from '@/lib/words/bulk-cancellation'

const retryable: readonly BulkResultRow['why'][] = ['not-sent', 'stopped', 'refused', 'changed', 'unreadable', 'absent']

/** Whether a row failed in a way that may be otherwise the next time: surely nothing was done. */
export function mayTryAgain({ outcome, why }: BulkResultRow): boolean {
  return outcome === 'not-cancelled' && retryable.includes(why)
}

/** Makes a new list of the rows that are selected; it is checked and confirmed like any other. */
export function TryAgain({ rows }: { rows: readonly BulkResultRow[] }) {
  const router = useRouter()
  const formatCount = useCount()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const reason = isSending ? words.listIsOnItsWay : rows.length === 0 ? words.selectRowsFirst : null

  async function begin(): Promise<void> {
    setSending(true)
    setError(null)
    try {
      const given = rows.flatMap(({ paymentId, reason: text }) =>
        paymentId ? [{ given: paymentId, reason: text }] : [],
      )
      router.push(keepMerchant(await beginBulk({ kind: 'list', name: words.triedAgain, rows: given })))
    } catch (thrown) {
      setError(thrown)
      setSending(false)
    }
  }

  return (
    <>
      <Button tone="primary" reason={reason} onClick={() => void begin()}>
        {words.tryAgain(formatCount(rows.length))}
      </Button>
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} />}
    </>
  )
}
