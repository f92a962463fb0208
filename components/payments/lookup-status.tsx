'use client'

import { Search, SearchX } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useCount, type WriteCount } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { findPayment, type PaymentLookupResult } from '@/lib/client/find-payment'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import * as words from '@/lib/words/payment-lookup'

export type Lookup = { kind: 'looking'; looked: number } | { kind: 'failed'; error: unknown } | PaymentLookupResult

const begun: Lookup = { kind: 'looking', looked: 0 }

/** Looks up a payment with progress; `again` restarts. */
export function usePaymentLookup(id: string, proofs: CapabilityProofs): { lookup: Lookup; again: () => void } {
  const [lookup, setLookup] = useState<Lookup>(begun)
  const [attempt, setAttempt] = useState(0)
  const canFilter = proofs['eq:id'] === true

  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    const say = (next: Lookup) => {
      if (!signal.aborted) setLookup(next)
    }
    if (attempt > 0) say(begun)
    findPayment(id, {
      proofs: { 'eq:id': canFilter },
      signal,
      onProgress: (looked) => say({ kind: 'looking', looked }),
    }).then(say, (error: unknown) => say({ kind: 'failed', error }))
    return () => request.abort()
  }, [id, canFilter, attempt])

  const again = useCallback(() => setAttempt((count) => count + 1), [])
  return { lookup, again }
}

function explain(lookup: Lookup, formatCount: WriteCount): { title: string; advice: string } {
  switch (lookup.kind) {
    case 'absent':
      return { title: words.noSuch, advice: words.noSuchAdvice }
    case 'incomplete':
      return {
        title: words.notFound,
        advice: words.notFoundAdvice(lookup.looked, formatCount(lookup.looked)),
      }
    case 'gave-up':
      return {
        title: words.notFoundSoFar,
        advice: words.notFoundSoFarAdvice(lookup.looked, formatCount(lookup.looked)),
      }
    default:
      return {
        title: words.lookingFor,
        advice: lookup.kind === 'looking' && lookup.looked > 0 ? words.lookedAt(formatCount(lookup.looked)) : '',
      }
  }
}

/** The state of a payment lookup. */
export function LookupStatus({ lookup, onAgain }: { lookup: Lookup; onAgain: () => void }) {
  const formatCount = useCount()
  if (lookup.kind === 'failed')
    return <ProblemNotice facts={toProblemInfo(lookup.error)} onRetry={onAgain} layout="page" />
  const { title, advice } = explain(lookup, formatCount)
  const isLooking = lookup.kind === 'looking'
  const Icon = isLooking ? Search : SearchX
  return (
    <output className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Icon strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{title}</p>
      {advice ? <p className="mt-1 text-ink-soft">{advice}</p> : null}
      {lookup.kind === 'gave-up' || lookup.kind === 'incomplete' ? (
        <Button className="mt-4" onClick={onAgain}>
          {words.lookAgain}
        </Button>
      ) : null}
    </output>
  )
}
