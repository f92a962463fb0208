'use client'

import { useCallback, useEffect, useState } from 'react'
import { type Finding, findPayment } from '@/lib/browser/find-payment'
import type { Proofs } from '@/lib/contract/ability'

export type Lookup = { kind: 'looking'; looked: number } | { kind: 'failed'; error: unknown } | Finding

const begun: Lookup = { kind: 'looking', looked: 0 }

/** Looks a payment up, with its progress; `again` begins anew. */
export function usePaymentLookup(id: string, proofs: Proofs): { lookup: Lookup; again: () => void } {
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
