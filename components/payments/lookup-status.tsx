'use client'

import { Search, SearchX } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { focusContent, useFocusLost } from '@/lib/client/page-lifecycle'
import { findPayment, type PaymentLookupResult } from '@/lib/client/find-payment'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import * as m from '@/lib/messages/m'

export type Lookup = { kind: 'looking'; scanned: number } | { kind: 'failed'; error: unknown } | PaymentLookupResult

const INITIAL_LOOKUP: Lookup = { kind: 'looking', scanned: 0 }

/** Looks up a payment with progress; `retry` restarts. */
export function usePaymentLookup(id: string, proofs: CapabilityProofs): { lookup: Lookup; retry: () => void } {
  const [lookup, setLookup] = useState<Lookup>(INITIAL_LOOKUP)
  const [attempt, setAttempt] = useState(0)
  const canFilter = proofs['eq:id'] === true
  const canFilterHandles = proofs['eq:handle'] === true

  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    const update = (next: Lookup) => {
      if (!signal.aborted) setLookup(next)
    }
    if (attempt > 0) update(INITIAL_LOOKUP)
    findPayment(id, {
      proofs: { 'eq:id': canFilter, 'eq:handle': canFilterHandles },
      mayBeHandle: true,
      signal,
      onProgress: (scanned) => update({ kind: 'looking', scanned }),
    }).then(update, (error: unknown) => update({ kind: 'failed', error }))
    return () => request.abort()
  }, [id, canFilter, canFilterHandles, attempt])

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { lookup, retry }
}

function explain(lookup: Lookup, formatCount: FormatCount): { title: string; advice: string } {
  switch (lookup.kind) {
    case 'absent':
      return { title: m.paymentLookup_noSuch(), advice: m.paymentLookup_noSuchAdvice() }
    case 'incomplete':
      return {
        title: m.paymentLookup_notFound(),
        advice: m.paymentLookup_notFoundAdvice({ count: lookup.scanned, written: formatCount(lookup.scanned) }),
      }
    case 'gave-up':
      return {
        title: m.paymentLookup_notFoundSoFar(),
        advice: m.paymentLookup_notFoundSoFarAdvice({ count: lookup.scanned, written: formatCount(lookup.scanned) }),
      }
    default:
      return {
        title: m.paymentLookup_lookingFor(),
        advice:
          lookup.kind === 'looking' && lookup.scanned > 0
            ? m.paymentLookup_lookedAt({ looked: formatCount(lookup.scanned) })
            : '',
      }
  }
}

type LookupStatusProps = { lookup: Lookup; onAgain: () => void }

function Progress({ lookup, onAgain }: LookupStatusProps) {
  const { title, advice } = explain(lookup, useFormatCount())
  const Icon = lookup.kind === 'looking' ? Search : SearchX
  return (
    <output className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Icon strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{title}</p>
      {advice ? <p className="mt-1 text-ink-soft">{advice}</p> : null}
      {lookup.kind === 'gave-up' || lookup.kind === 'incomplete' ? (
        <Button className="mt-4" onClick={onAgain}>
          {m.paymentLookup_lookAgain()}
        </Button>
      ) : null}
    </output>
  )
}

/** The state of a payment lookup. */
export function LookupStatus({ lookup, onAgain }: LookupStatusProps) {
  const status = useFocusLost<HTMLDivElement>(focusContent)
  const lookAgain = () => {
    // The pressed button disappears.
    status.current?.focus({ preventScroll: true })
    onAgain()
  }
  return (
    <div ref={status} tabIndex={-1}>
      {lookup.kind === 'failed' ? (
        <ProblemNotice problem={toProblemInfo(lookup.error)} onRetry={lookAgain} layout="page" />
      ) : (
        <Progress lookup={lookup} onAgain={lookAgain} />
      )}
    </div>
  )
}
